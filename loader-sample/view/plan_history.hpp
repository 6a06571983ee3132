// What each write of the plan changed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "log/file_ops.hpp"
#include "log/log_paths.hpp"
#include "log/log_reader.hpp"
#include "view/plan_items.hpp"

namespace dsh::loader {

/// How one list follows another. Each text is an item's content, in the order of the newer list;
/// `dropped` in the order of the older.
struct PlanChange {
  std::vector<std::string> added;     ///< not in the former list
  std::vector<std::string> started;   ///< in progress now, not before (new ones included)
  std::vector<std::string> finished;  ///< completed now, not before (new ones included)
  std::vector<std::string> reopened;  ///< completed before, not now
  std::vector<std::string> dropped;   ///< gone without having been completed
};
PlanChange compare_plans(const std::vector<PlanItem> &before, const std::vector<PlanItem> &after);

/// One write in the log, or the start of a turn that cleared a plan (then `cleared`).
struct HistoryEntry {
  std::int64_t seq = 0;
  std::int64_t time = 0;
  bool cleared = false;
  std::string problem;  ///< not empty: what is wrong with the list; malformed as a whole, it has no items
  std::vector<PlanItem> items;
  PlanChange change;
};

/// Reads the whole log and calls each(entry) for every write and every clearing, oldest first.
/// Returns what the log has behind them that doesn't count; none: nothing, or a torn last line.
/// Throws Error for damage, and for a file whose name or directory its header doesn't fit.
std::optional<DroppedTail> read_plan_history(const LogFile &file,
                                             const std::function<void(const HistoryEntry &)> &each,
                                             FileOps &ops = system_file_ops());

}  // namespace dsh::loader
