// What a call may write, in the order in which the rules are asked; and what is read of a call once more, to
// show it.
#include <cmath>
#include <set>
#include <string_view>

#include "json_text.hpp"
#include "json_value.hpp"
#include "list_schema.hpp"
#include "list_writer.hpp"
#include "plain_list.hpp"
#include "refusal.hpp"
#include "wtf8.hpp"

namespace dsh::todo {
namespace json = boost::json;
namespace {

constexpr std::string_view arguments_name = "the text of the arguments";

std::string_view or_empty_object(std::string_view arguments) noexcept {
  return arguments.empty() ? "{}" : arguments;
}

}  // namespace

namespace plain {

WrittenList read_call(std::string_view arguments, bool allow_parallel) try {
  const Document document(or_empty_object(arguments), arguments_name);
  const json::value &root = document.root();
  if (!is_lossless(root)) throw Refusal("tool execution arguments must be losslessly JSON-serializable");
  if (const std::string violations = arguments_violations(root); !violations.empty())
    throw SchemaRefusal(violations);

  WrittenList list{std::string(before_list), {}};
  std::set<std::string_view> seen;
  for (const json::value &item : member(root, "todos")->get_array()) {
    const std::string_view content = trim(content_of(item));
    if (content.empty()) throw Refusal("invalid todo: `content` must be a non-empty string");
    if (!seen.insert(content).second) throw Refusal("invalid todos: duplicate content " + quoted(content));
    if (list.counts.total() > 0) list.data += ',';
    ++list.counts.of(status_of(item));
    append_item(list.data, content, status_of(item));
  }
  list.data += after_list;
  if (const std::size_t active = list.counts.in_progress; !allow_parallel && active > 1)
    throw Refusal("invalid todos: at most one task may be in_progress (got " + std::to_string(active) + ")");
  return list;
} catch (const NotJson &) {
  // What is no JSON is refused in the words for JSON that is no object.
  throw SchemaRefusal(arguments_violations(json::value()));
}

}  // namespace plain

std::optional<std::string> read_sent_list(std::string_view arguments) try {
  const Document document(or_empty_object(arguments), arguments_name);
  if (!plain::arguments_violations(document.root()).empty()) return std::nullopt;
  std::string list;
  append_json(list, *member(document.root(), "todos"));
  return list;
} catch (const Refusal &) {
  return std::nullopt;
}

Counts read_counts(std::string_view value) {
  const Document document(value, "the value of the call");
  const json::value *counts = member(document.root(), "counts");
  const auto number = [&](std::string_view key) -> std::size_t {
    const json::value *member_value = counts == nullptr ? nullptr : member(*counts, key);
    const double *count = member_value == nullptr ? nullptr : member_value->if_double();
    constexpr double largest = 9007199254740991;  // Number.MAX_SAFE_INTEGER
    if (count == nullptr || !(*count >= 0 && *count <= largest) || *count != std::floor(*count))
      throw Refusal("the value of the call has no count at counts." + std::string(key));
    return static_cast<std::size_t>(*count);
  };
  return {number("pending"), number("inProgress"), number("completed")};
}

}  // namespace dsh::todo
