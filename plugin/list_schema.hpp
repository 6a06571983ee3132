// The schema of a todo list, the one that parameters_schema tells a model: what a parsed value does against
// it, in the order and the words of the reference.
#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "todo_list.hpp"

namespace dsh::todo::plain {

/// Are keys that the schema doesn't know allowed in an item? The arguments of a call may have none; a log
/// may hold what another program wrote.
enum class ExtraKeys { refused, allowed };

/// All violations of a call's arguments, the object with the list, joined by `; `: empty where there are
/// none.
std::string arguments_violations(const boost::json::value &arguments);

/// Collects what the items of a list do against the schema, in the order of the schema.
class ItemsCheck {
 public:
  explicit ItemsCheck(ExtraKeys extra_keys) : extra_keys_(extra_keys) {}

  /// Looks at the next item.
  void check(const boost::json::value &item);

  /// Is all well so far?
  bool passed() const noexcept { return violations_.empty(); }

  /// All violations, joined by `; `.
  const std::string &violations() const noexcept { return violations_; }

 private:
  void check_members(const boost::json::value &item);
  void report_missing(std::string_view key);
  void report_undeclared(const boost::json::object &item);
  void report(std::string_view dot, std::string_view key, std::string_view fault);
  void begin_violation();
  void append_path(std::string_view dot, std::string_view key);
  void append_status_names();

  ExtraKeys extra_keys_;
  std::size_t index_ = 0;  ///< of the item at hand
  std::string violations_;
};

/// The violation of a list that is none.
inline constexpr std::string_view no_list = R"("todos" must be an array)";

/// The violation of what should hold a list, but doesn't.
inline constexpr std::string_view list_missing = R"(missing required property "todos")";

/// What an item that passed the schema holds. The views lie in it.
std::string_view content_of(const boost::json::value &item);
Status status_of(const boost::json::value &item);

/// Does `text` spell a status?
bool is_status(std::string_view text) noexcept;

}  // namespace dsh::todo::plain
