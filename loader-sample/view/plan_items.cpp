#include "view/plan_items.hpp"

#include <cstddef>
#include <utility>

#include "text/error.hpp"
#include "text/json_scan.hpp"
#include "text/json_text.hpp"
#include "view/plan.hpp"

namespace dsh::loader {
namespace {

/// Finds the items of a write's data while it is scanned. Of keys that stand there twice the last counts.
class ItemsFinder {
 public:
  explicit ItemsFinder(ItemVisitor &visitor) : visitor_(visitor) {}

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
  void string(std::string_view raw, bool escaped) { value(Kind::text, {raw, escaped}); }
  void number(std::string_view /*text*/, bool /*integer*/) { value(Kind::other); }
  void literal(char /*first*/) { value(Kind::other); }

  /// Throws Error where the data was no sound write.
  void finish() const {
    if (!list_) throw Error(plan_fault::no_list);
    if (fault_ != nullptr) throw Error(plan_fault::of_item(count_ + 1, fault_));
  }

 private:
  enum class Kind { array, object, text, other };

  void value(Kind kind, const JsonString &text = {}) {
    if (depth_ == 1) {
      in_list_ = key_ == plan_key && kind == Kind::array;
      if (key_ == plan_key) begin_list();
    } else if (depth_ == 2 && in_list_) {
      begin_item(kind);
    } else if (depth_ == 3 && in_item_) {
      member(kind, text);
    }
  }

  void begin_list() {
    list_ = in_list_;
    fault_ = nullptr;
    count_ = 0;
    visitor_.begin_list();
  }

  void begin_item(Kind kind) {
    if (fault_ != nullptr) return;
    in_item_ = kind == Kind::object;
    if (!in_item_) return fail(plan_fault::no_object);
    item_ = {};
    has_content_ = has_status_ = false;
  }

  void member(Kind kind, const JsonString &text) {
    const bool content = key_ == "content";
    if (!content && key_ != "status") {
      item_.extra_keys = true;
      return;
    }
    (content ? has_content_ : has_status_) = kind == Kind::text;
    (content ? item_.content : item_.status) = text;
  }

  void end_item() {
    in_item_ = false;
    if (!has_content_) return fail(plan_fault::no_content);
    if (!has_status_) return fail(plan_fault::no_status);
    ++count_;
    visitor_.item(item_);
  }

  void fail(const char *fault) { fault_ = fault; }

  ItemVisitor &visitor_;
  ListedItem item_;
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

class Collector final : public ItemVisitor {
 public:
  void begin_list() override { items.clear(); }
  void item(const ListedItem &item) override {
    items.push_back({item.content.decode(), item.status.decode()});
  }

  std::vector<PlanItem> items;
};

}  // namespace

void visit_plan_items(std::string_view data, ItemVisitor &visitor) {
  ItemsFinder finder(visitor);
  json_scan::Scanner(data, finder).run();
  finder.finish();
}

std::vector<PlanItem> parse_plan_items(std::string_view data) {
  Collector collector;
  visit_plan_items(data, collector);
  return std::move(collector.items);
}

}  // namespace dsh::loader
