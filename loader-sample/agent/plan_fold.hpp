// The plan at the end of a log that is no session of this process, folded by the loaded plugins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/plugin_host.hpp"
#include "view/plan.hpp"

namespace dsh::loader {

/// What the `todos` projection makes of a log's events: no plan where no plugin keeps one. All that folds or
/// shows throws std::bad_alloc where memory runs out. One thread; the host outlives it.
class PlanFold {
 public:
  explicit PlanFold(PluginHost &host);

  /// Throws Error where no plugin keeps a plan.
  void require_kept() const;

  /// To the start of a log; of which, for the lines that tell what is wrong in it.
  void restart(std::string log = {});

  /// Can events of this type change the plan? The others needn't be folded.
  bool concerns(std::string_view type) const;

  /// Folds one event; false: the event left the plan as it was, or was malformed.
  bool take(const Event &event);

  /// The types of events that set the plan, each whatever came before: the last of them that take()
  /// accepts decides. Empty: every event counts.
  const std::vector<std::string> &decisive_types() const { return types_; }

  /// The plan as JSON: what the projection shows, `null` where there is none; where the log holds a list
  /// that is no sound one, that list as it is.
  std::string json() const;
  /// Why the projection can't show the plan; empty: it can.
  std::string problem() const;

  Plan plan() const;

 private:
  const Projections &projections_;
  bool kept_ = false;  // a plugin keeps a plan
  std::vector<std::string> types_;
  Fold fold_;
};

/// The plan of a session of this process as JSON; `null` too where no plugin keeps one. Throws Error where
/// the log holds a list that is no sound one.
std::string standing_plan(PluginHost &host, Session &session);

/// `{"pending","inProgress","completed"}`
std::string counts_json(const PlanCounts &counts);

/// None of each where there is no plan.
PlanCounts counts_of(const Plan &plan);

}  // namespace dsh::loader
