// What the plugin must make of a JSON value: the rules once more, as plainly as they go.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "json_node.hpp"

namespace dsh::todo::test {

inline bool is_status(const Node &node) {
  return node.kind == Node::Kind::string &&
         (node.string == u"pending" || node.string == u"in_progress" || node.string == u"completed");
}

inline std::vector<std::string> schema_violations(const Node &root) {
  using Kind = Node::Kind;
  if (root.kind != Kind::object) return {R"("arguments" must be an object)"};
  const Node *todos = member(root, u"todos");
  if (todos == nullptr) return {R"(missing required property "todos")"};
  if (todos->kind != Kind::array) return {R"("todos" must be an array)"};
  std::vector<std::string> out;
  for (std::size_t i = 0; i < todos->elements.size(); ++i) {
    const Node &item = todos->elements[i];
    const std::string path = "todos[" + std::to_string(i) + "]";
    if (item.kind != Kind::object) {
      out.push_back("\"" + path + "\" must be an object");
      continue;
    }
    const Node *content = member(item, u"content");
    const Node *status = member(item, u"status");
    if (content == nullptr) out.push_back("missing required property \"" + path + ".content\"");
    if (status == nullptr) out.push_back("missing required property \"" + path + ".status\"");
    if (content != nullptr && content->kind != Kind::string)
      out.push_back("\"" + path + ".content\" must be a string");
    if (status != nullptr && status->kind != Kind::string)
      out.push_back("\"" + path + ".status\" must be a string");
    else if (status != nullptr && !is_status(*status))
      out.push_back("\"" + path + ".status\" must be one of [\"pending\",\"in_progress\",\"completed\"]");
    for (const auto &[key, value] : own_members(item)) {
      if (key == u"content" || key == u"status") continue;
      out.push_back("\"" + path + "." + to_wtf8(key) +
                    "\" is not a declared property (additionalProperties: false)");
    }
  }
  return out;
}

/// What a call comes to: the data of its event, or the text of its refusal.
struct CallOutcome {
  bool accepted = false;
  bool schema = false;
  std::string text;

  bool operator==(const CallOutcome &) const = default;
};

inline CallOutcome call_outcome(const Node &written, bool allow_parallel) {
  const Node root = resolved(written);
  const auto refused = [](std::string text) { return CallOutcome{false, false, std::move(text)}; };
  if (!is_lossless(root)) return refused("tool execution arguments must be losslessly JSON-serializable");
  std::string violations;
  for (const std::string &violation : schema_violations(root))
    violations += (violations.empty() ? "" : "; ") + violation;
  if (!violations.empty()) return {false, true, "invalid arguments: " + violations};
  std::set<std::u16string> seen;
  std::string data;
  int active = 0;
  for (const Node &item : member(root, u"todos")->elements) {
    const std::u16string content = trimmed(member(item, u"content")->string);
    if (content.empty()) return refused("invalid todo: `content` must be a non-empty string");
    if (!seen.insert(content).second)
      return refused("invalid todos: duplicate content " + stringify(content));
    const std::u16string &status = member(item, u"status")->string;
    if (status == u"in_progress") ++active;
    data += (data.empty() ? "" : ",") + std::string(R"({"content":)") + stringify(content) + R"(,"status":)" +
            stringify(status) + "}";
  }
  if (!allow_parallel && active > 1)
    return refused("invalid todos: at most one task may be in_progress (got " + std::to_string(active) + ")");
  return {true, false, R"({"todos":[)" + data + "]}"};
}

/// What the invariant says of an event's data, which is an object; nothing: it is sound.
inline std::optional<std::string> fault_outcome(const Node &written) {
  using Kind = Node::Kind;
  const Node root = resolved(written);
  const Node *todos = member(root, u"todos");
  if (todos == nullptr || todos->kind != Kind::array) return "todo/write todos must be an array";
  std::set<std::u16string> seen;
  for (const Node &item : todos->elements) {
    if (item.kind != Kind::object && item.kind != Kind::array) return "todo/write entries must be objects";
    const Node *content = member(item, u"content");
    if (content == nullptr || content->kind != Kind::string || content->string.empty() ||
        trimmed(content->string) != content->string)
      return "todo/write content must be non-empty and already trimmed";
    if (!seen.insert(content->string).second)
      return "todo/write repeats content " + stringify(content->string);
    const Node *status = member(item, u"status");
    if (status != nullptr && is_status(*status)) continue;
    return "todo/write carries unknown status " + (status == nullptr ? "undefined" : stringify(*status));
  }
  return std::nullopt;
}

/// The view of a state (a resolved value): nothing where it has none.
inline std::optional<std::string> view_outcome(const Node &list) {
  using Kind = Node::Kind;
  if (list.kind == Kind::literal && list.printed == "null") return "null";
  if (list.kind != Kind::array) return std::nullopt;
  std::string view;
  for (const Node &item : list.elements) {
    const Node *content = member(item, u"content");
    const Node *status = member(item, u"status");
    if (content == nullptr || content->kind != Kind::string || status == nullptr || !is_status(*status))
      return std::nullopt;
    view += (view.empty() ? "" : ",") + std::string(R"({"content":)") + stringify(content->string) +
            R"(,"status":)" + stringify(status->string) + "}";
  }
  return "[" + view + "]";
}

}  // namespace dsh::todo::test
