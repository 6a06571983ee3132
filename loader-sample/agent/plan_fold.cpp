#include "agent/plan_fold.hpp"

#include <algorithm>
#include <boost/json/value.hpp>
#include <optional>

#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

std::optional<UnitInfo> plan_unit(const Projections &projections) {
  for (UnitInfo &unit : projections.units())
    if (unit.key == plan_key) return std::move(unit);
  return std::nullopt;
}

}  // namespace

PlanFold::PlanFold(PluginHost &host) : projections_(host.projections()) {
  const std::optional<UnitInfo> unit = plan_unit(projections_);
  if (!unit) return;
  kept_ = true;
  if (unit->decisive) types_ = unit->types;
  restart();
}

void PlanFold::require_kept() const {
  if (!kept_)
    throw Error("no plugin of the composition keeps a plan: nothing registered the projection \"todos\"");
}

void PlanFold::restart(std::string log) {
  if (kept_) fold_ = projections_.start(plan_key, std::move(log));
}

bool PlanFold::concerns(std::string_view type) const {
  if (!kept_) return false;
  return types_.empty() || std::find(types_.begin(), types_.end(), type) != types_.end();
}

bool PlanFold::take(const Event &event) {
  return concerns(event.type) && projections_.step(plan_key, fold_, event);
}

std::string PlanFold::json() const {
  if (!kept_) return "null";
  try {
    return projections_.view(plan_key, fold_).value_or("null");
  } catch (const Error &) {
    return fold_.state.empty() ? "null" : fold_.state;
  }
}

std::string PlanFold::problem() const {
  if (!kept_) return {};
  try {
    projections_.view(plan_key, fold_);
    return {};
  } catch (const Error &error) {
    return error.text();
  }
}

Plan PlanFold::plan() const { return read_plan(parse_json(json())); }

std::string standing_plan(PluginHost &host, Session &session) {
  const Snapshot snapshot = host.projections().snapshot(session);
  const auto value = std::find_if(snapshot.values.begin(), snapshot.values.end(),
                                  [](const auto &entry) { return entry.first == plan_key; });
  return value != snapshot.values.end() ? value->second : "null";
}

std::string counts_json(const PlanCounts &counts) {
  return "{\"pending\":" + std::to_string(counts.pending) +
         ",\"inProgress\":" + std::to_string(counts.in_progress) +
         ",\"completed\":" + std::to_string(counts.completed) + '}';
}

PlanCounts counts_of(const Plan &plan) { return plan.items ? count(*plan.items) : PlanCounts(); }

}  // namespace dsh::loader
