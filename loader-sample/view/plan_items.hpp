// The items of a `todo/write` as the log holds it, sound or not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/json_reader.hpp"

namespace dsh::loader {

/// One item of a stored list. Texts are WTF-8, as they are in the log.
struct PlanItem {
  std::string content;
  std::string status;
};

/// The same as it stands in the text, copied nowhere: a list may be as long as its log.
struct ListedItem {
  JsonString content;
  JsonString status;
  bool extra_keys = false;  ///< it has keys other than content and status
};

/// Is told the items of a list, in order.
class ItemVisitor {
 public:
  virtual ~ItemVisitor() = default;
  /// A list begins. What was told of one before doesn't count: its key stands there again.
  virtual void begin_list() = 0;
  /// The views live as long as the text.
  virtual void item(const ListedItem &item) = 0;
};

/// Tells the items of a `todo/write` event's data, which is JSON, in one pass. Throws Error when it is no
/// list of objects that have content and status: then what was told doesn't count.
void visit_plan_items(std::string_view data, ItemVisitor &visitor);

/// The list of a `todo/write` event's data. Throws Error when it is not one.
std::vector<PlanItem> parse_plan_items(std::string_view data);

}  // namespace dsh::loader
