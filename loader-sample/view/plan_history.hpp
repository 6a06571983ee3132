// What each write of the plan changed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "log/file_ops.hpp"
#include "log/log_paths.hpp"

namespace dsh::loader {

/// One item of a stored list. Texts are WTF-8, as they are in the log.
struct PlanItem {
  std::string content;
  std::string status;
  bool extra_keys = false;
};

/// The list of a `todo/write` event's data. Throws Error when it is not one.
std::vector<PlanItem> parse_plan_items(std::string_view data);
/// The same into `items`, whose memory is used again.
void parse_plan_items(std::string_view data, std::vector<PlanItem> &items);

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

/// compare_plans().dropped alone, as views of `before`.
std::vector<std::string_view> dropped_items(const std::vector<PlanItem> &before,
                                            const std::vector<PlanItem> &after);

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
/// Throws Error for damage, and for a file whose name or directory its header doesn't fit.
void read_plan_history(const LogFile &file, const std::function<void(const HistoryEntry &)> &each,
                       FileOps &ops = system_file_ops());

}  // namespace dsh::loader
