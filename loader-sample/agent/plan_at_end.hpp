// The plan that stands at the end of a log which is read from its start.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "agent/plan_fold.hpp"
#include "log/log_audit.hpp"
#include "log/log_paths.hpp"

namespace dsh::loader {

/// Goes along an audit. Where the last event that folds gives the plan, whatever came before, no other is
/// folded; and that one is not held if it is long, but read once more. One thread; fold and log
/// outlive it.
class PlanAtEnd {
 public:
  using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

  /// Begins with no plan.
  PlanAtEnd(PlanFold &fold, const LogFile &log);

  /// Does it want the events of this type?
  bool takes(std::string_view type) const { return fold_.concerns(type); }

  /// The next event of the log.
  void take(const Event &event);

  /// Behind the last one: folds what is left to be folded. `progress` is told of what is read again. Throws
  /// Error where that isn't there any more, std::bad_alloc where memory runs out; what
  /// the fold holds is no plan then.
  void finish(const Progress &progress);

 private:
  /// An event that would set the plan.
  struct Setter {
    std::int64_t seq = -1;  ///< −1: there was none
    std::int64_t time = 0;
    std::string type;
    std::string data;
    bool held = false;  ///< `data` is its data
  };

  bool fold_held();
  bool fold_again(const Progress &progress, std::int64_t from, std::int64_t to);

  PlanFold &fold_;
  const LogFile &log_;
  bool last_decides_;
  Setter last_;
};

}  // namespace dsh::loader
