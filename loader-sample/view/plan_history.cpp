#include "view/plan_history.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "log/log_reader.hpp"
#include "text/error.hpp"
#include "text/json_reader.hpp"
#include "text/json_scan.hpp"
#include "text/json_text.hpp"
#include "view/plan.hpp"

namespace dsh::loader {
namespace {

/// Takes the items out of a write's data while it is scanned. Of keys that stand there twice the last counts.
class ItemsTaker {
 public:
  explicit ItemsTaker(std::vector<PlanItem> &items) : items_(items) {}

  void begin_array() {
    value(Kind::array);
    ++depth_;
  }
  void begin_object() {
    value(Kind::object);
    ++depth_;
  }
  void end_array() { --depth_; }
  void end_object() {
    if (--depth_ == 2 && in_item_) end_item();
  }
  void key(std::string_view raw, bool escaped) {
    if (depth_ == 1 || (depth_ == 3 && in_item_)) key_ = {raw, escaped};
  }
  void string(std::string_view raw, bool /*escaped*/) { value(Kind::text, raw); }
  void number(std::string_view /*text*/, bool /*integer*/) { value(Kind::other); }
  void literal(char /*first*/) { value(Kind::other); }

  /// Throws Error where the data was no sound write.
  void finish() const {
    if (!list_) throw Error(plan_fault::no_list);
    if (fault_ != nullptr) throw Error(plan_fault::of_item(count_ + 1, fault_));
    items_.resize(count_);
  }

 private:
  enum class Kind { array, object, text, other };

  void value(Kind kind, std::string_view raw = {}) {
    if (depth_ == 1) {
      in_list_ = key_ == "todos" && kind == Kind::array;
      if (key_ == "todos") begin_list();
    } else if (depth_ == 2 && in_list_) {
      begin_item(kind);
    } else if (depth_ == 3 && in_item_) {
      member(kind, raw);
    }
  }

  void begin_list() {
    list_ = in_list_;
    fault_ = nullptr;
    count_ = 0;
  }

  void begin_item(Kind kind) {
    if (fault_ != nullptr) return;
    in_item_ = kind == Kind::object;
    if (!in_item_) return fail(plan_fault::no_object);
    if (count_ == items_.size()) items_.emplace_back();
    items_[count_].extra_keys = false;
    has_content_ = has_status_ = false;
  }

  void member(Kind kind, std::string_view raw) {
    PlanItem &item = items_[count_];
    const bool content = key_ == "content";
    if (!content && key_ != "status") {
      item.extra_keys = true;
      return;
    }
    (content ? has_content_ : has_status_) = kind == Kind::text;
    if (kind == Kind::text) unescape_json(content ? item.content : item.status, raw);
  }

  void end_item() {
    in_item_ = false;
    if (!has_content_) return fail(plan_fault::no_content);
    if (!has_status_) return fail(plan_fault::no_status);
    ++count_;
  }

  void fail(const char *fault) { fault_ = fault; }

  std::vector<PlanItem> &items_;
  std::size_t count_ = 0;
  std::size_t depth_ = 0;
  JsonString key_;
  bool list_ = false;     ///< todos is a list
  bool in_list_ = false;  ///< and this is in it
  bool in_item_ = false;  ///< and in one of its objects
  bool has_content_ = false;
  bool has_status_ = false;
  const char *fault_ = nullptr;  ///< of the item behind those that count; no further one is looked at
};

std::unordered_map<std::string_view, std::string_view> statuses(const std::vector<PlanItem> &items) {
  std::unordered_map<std::string_view, std::string_view> by_content;
  for (const PlanItem &item : items) by_content[item.content] = item.status;
  return by_content;
}

/// The first item whose status is none of ours; empty where there is none.
std::string unknown_status(const std::vector<PlanItem> &items) {
  const auto item = std::find_if(items.begin(), items.end(),
                                 [](const PlanItem &one) { return status_of(one.status) == Status::other; });
  if (item == items.end()) return {};
  return plan_fault::of_item(static_cast<std::size_t>(item - items.begin()) + 1,
                             plan_fault::unknown_status(item->status));
}

}  // namespace

void parse_plan_items(std::string_view data, std::vector<PlanItem> &items) {
  ItemsTaker taker(items);
  json_scan::Scanner(data, taker).run();
  taker.finish();
}

std::vector<PlanItem> parse_plan_items(std::string_view data) {
  std::vector<PlanItem> items;
  parse_plan_items(data, items);
  return items;
}

std::vector<std::string_view> dropped_items(const std::vector<PlanItem> &before,
                                            const std::vector<PlanItem> &after) {
  constexpr std::size_t few = 32;  // looked through faster than hashed
  std::unordered_set<std::string_view> contents;
  if (after.size() > few) {
    for (const PlanItem &item : after) contents.insert(item.content);
  }
  const auto is_there = [&](const std::string &content) {
    if (after.size() > few) return contents.contains(content);
    return std::any_of(after.begin(), after.end(),
                       [&content](const PlanItem &item) { return item.content == content; });
  };
  std::vector<std::string_view> dropped;
  for (const PlanItem &item : before) {
    if (item.status != "completed" && !is_there(item.content)) dropped.emplace_back(item.content);
  }
  return dropped;
}

PlanChange compare_plans(const std::vector<PlanItem> &before, const std::vector<PlanItem> &after) {
  const auto old = statuses(before);
  PlanChange change;
  for (const PlanItem &item : after) {
    const auto former = old.find(item.content);
    const std::string_view was = former == old.end() ? std::string_view() : former->second;
    if (former == old.end()) change.added.push_back(item.content);
    if (item.status == "in_progress" && was != "in_progress") change.started.push_back(item.content);
    if (item.status == "completed" && was != "completed") change.finished.push_back(item.content);
    if (was == "completed" && item.status != "completed") change.reopened.push_back(item.content);
  }
  for (const std::string_view item : dropped_items(before, after)) change.dropped.emplace_back(item);
  return change;
}

void read_plan_history(const LogFile &file, const std::function<void(const HistoryEntry &)> &each,
                       FileOps &ops) try {
  LogSource source(file, ops);
  LogReader reader(source.bytes());
  require_place(file, reader.header());
  std::vector<PlanItem> plan;
  bool written = false;  // a plan stands
  while (reader.next()) {
    const Event &event = reader.stored().event();
    HistoryEntry entry{event.seq, event.time, false, {}, {}, {}};
    if (event.type == "turn/start") {
      if (!written) continue;
      entry.cleared = true;
      written = false;
      plan.clear();
    } else if (event.type == "todo/write") {
      try {
        entry.items = parse_plan_items(event.data);
        entry.change = compare_plans(plan, entry.items);
        entry.problem = unknown_status(entry.items);
        plan = entry.items;
        written = true;
      } catch (const Error &error) {
        entry.problem = error.text();
      }
    } else {
      continue;
    }
    each(entry);
  }
} catch (const Error &error) {
  throw naming(file, error);
}

}  // namespace dsh::loader
