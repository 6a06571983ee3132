// The plan that stands in a log which somebody else may be writing.
#pragma once

#include <cstdint>
#include <optional>

#include "agent/plan_fold.hpp"
#include "log/file_ops.hpp"
#include "log/log_paths.hpp"
#include "log/log_tail.hpp"

namespace dsh::loader {

/// Reads a log as often as one likes: the first time from its end back to the plan, then what came since. One
/// thread; the host and the calls outlive it.
class PlanReader {
 public:
  /// Throws Error where no plugin keeps a plan.
  explicit PlanReader(PluginHost &host, FileOps &ops = system_file_ops());

  /// Throws Error where the log can't be read, or is damaged where it was looked at.
  void read(const LogFile &log);

  /// As of the last read().
  const PlanFold &standing() const { return fold_; }
  /// How many events the log holds.
  std::int64_t events() const { return former_ ? former_->events : 0; }
  /// What the log has behind them that doesn't count; none: nothing, or a torn last line.
  std::optional<DroppedLines> dropped() const { return former_ ? former_->dropped : std::nullopt; }
  /// The seq of the event that set the plan; −1: none did.
  std::int64_t set_by() const { return set_by_; }

 private:
  void read_log(const LogFile &log);
  bool take(const Event &event);

  PlanFold fold_;
  FileOps &ops_;
  std::optional<TailResult> former_;
  std::int64_t set_by_ = -1;
};

}  // namespace dsh::loader
