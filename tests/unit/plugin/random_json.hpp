// JSON values to generate, to spell in every way a model may, and to say what the plugin must make of
// them: the rules once more, over UTF-16 as JavaScript has it, and as plainly as they go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dsh::todo::test {

/// A JSON value before anything was decided about it: duplicates stand where they were written.
struct Node {
  enum class Kind { literal, string, array, object };

  Kind kind = Kind::literal;
  std::string literal = "null";                          ///< null, true, false or a number, as written
  std::string printed = "null";                          ///< the literal as JSON.stringify writes its value
  bool lossy = false;                                    ///< a number that JSON cannot say
  std::u16string string;                                 ///< of a string
  std::vector<Node> elements;                            ///< of an array
  std::vector<std::pair<std::u16string, Node>> members;  ///< of an object
};

inline Node string_node(std::u16string text) {
  Node node;
  node.kind = Node::Kind::string;
  node.string = std::move(text);
  return node;
}

inline Node literal_node(std::string literal, std::string printed, bool lossy = false) {
  Node node;
  node.literal = std::move(literal);
  node.printed = std::move(printed);
  node.lossy = lossy;
  return node;
}

inline Node array_node(std::vector<Node> elements) {
  Node node;
  node.kind = Node::Kind::array;
  node.elements = std::move(elements);
  return node;
}

inline Node object_node(std::vector<std::pair<std::u16string, Node>> members) {
  Node node;
  node.kind = Node::Kind::object;
  node.members = std::move(members);
  return node;
}

// --- The rules, plainly ------------------------------------------------------------------------------

inline bool is_high(char16_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
inline bool is_low(char16_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

/// UTF-8 of UTF-16; lone surrogates take three bytes.
inline std::string to_wtf8(std::u16string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::uint32_t c = text[i];
    if (is_high(text[i]) && i + 1 < text.size() && is_low(text[i + 1])) {
      c = 0x10000 + ((c - 0xD800) << 10) + (text[++i] - 0xDC00U);
    }
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
    } else if (c < 0x10000) {
      out += {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
              static_cast<char>(0x80 | (c & 0x3F))};
    } else {
      out += {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 0x3F)),
              static_cast<char>(0x80 | (c >> 6 & 0x3F)), static_cast<char>(0x80 | (c & 0x3F))};
    }
  }
  return out;
}

inline std::string unicode_escape(char16_t unit, bool upper = false) {
  char text[8];
  std::snprintf(text, sizeof text, upper ? "\\u%04X" : "\\u%04x", static_cast<unsigned>(unit));
  return text;
}

/// JSON.stringify of a string.
inline std::string stringify(std::u16string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char16_t unit = text[i];
    if (is_high(unit) && i + 1 < text.size() && is_low(text[i + 1])) {
      out += to_wtf8(text.substr(i++, 2));
    } else if (is_high(unit) || is_low(unit)) {
      out += unicode_escape(unit);
    } else if (unit == '"' || unit == '\\') {
      out += {'\\', static_cast<char>(unit)};
    } else if (unit < 0x20) {
      const std::string_view names = "btn\0fr";
      const std::size_t at = static_cast<std::size_t>(unit) - 8;
      out += unit >= 8 && at < names.size() && names[at] != '\0' ? std::string{'\\', names[at]}
                                                                 : unicode_escape(unit);
    } else {
      out += to_wtf8(text.substr(i, 1));
    }
  }
  return out + "\"";
}

inline std::u16string trimmed(std::u16string_view text) {
  const std::u16string_view space =
      u"\t\n\v\f\r "
      u"\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F"
      u"\u205F\u3000\uFEFF";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::u16string_view::npos) return {};
  return std::u16string(text.substr(first, text.find_last_not_of(space) - first + 1));
}

/// Duplicate keys decided: the last value at the first one's position.
inline Node resolved(const Node &node) {
  Node out = node;
  for (Node &element : out.elements) element = resolved(element);
  out.members.clear();
  for (const auto &[key, value] : node.members) {
    bool found = false;
    for (auto &member : out.members) {
      if (member.first != key) continue;
      member.second = resolved(value);
      found = true;
    }
    if (!found) out.members.emplace_back(key, resolved(value));
  }
  return out;
}

/// The number of an array index, as JavaScript sees names of properties.
inline std::optional<std::uint64_t> index_of(std::u16string_view key) {
  if (key.empty() || key.size() > 10 || (key.size() > 1 && key[0] == u'0')) return std::nullopt;
  std::uint64_t value = 0;
  for (const char16_t unit : key) {
    if (unit < u'0' || unit > u'9') return std::nullopt;
    value = value * 10 + (unit - u'0');
  }
  return value <= 4294967294U ? std::optional(value) : std::nullopt;
}

/// Members in the order of JavaScript's own keys.
inline std::vector<std::pair<std::u16string, Node>> own_members(const Node &object) {
  std::vector<std::pair<std::u16string, Node>> out;
  std::set<std::uint64_t> indices;
  for (const auto &member : object.members) {
    if (const auto index = index_of(member.first)) indices.insert(*index);
  }
  for (const std::uint64_t index : indices) {
    for (const auto &member : object.members) {
      if (index_of(member.first) == index) out.push_back(member);
    }
  }
  for (const auto &member : object.members) {
    if (!index_of(member.first)) out.push_back(member);
  }
  return out;
}

/// JSON.stringify of a resolved value.
inline std::string stringify(const Node &node) {
  std::string out;
  switch (node.kind) {
    case Node::Kind::literal:
      return node.printed;
    case Node::Kind::string:
      return stringify(node.string);
    case Node::Kind::array:
      for (const Node &element : node.elements) out += (out.empty() ? "" : ",") + stringify(element);
      return "[" + out + "]";
    case Node::Kind::object:
      for (const auto &[key, value] : own_members(node)) {
        out += (out.empty() ? "" : ",") + stringify(key) + ":" + stringify(value);
      }
      return "{" + out + "}";
  }
  return out;
}

inline bool is_lossless(const Node &node) {
  for (const Node &element : node.elements) {
    if (!is_lossless(element)) return false;
  }
  for (const auto &member : node.members) {
    if (!is_lossless(member.second)) return false;
  }
  return !node.lossy;
}

inline const Node *member(const Node &node, std::u16string_view key) {
  for (const auto &[name, value] : node.members) {
    if (name == key) return &value;
  }
  return nullptr;
}

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
    if (content != nullptr && content->kind != Kind::string) {
      out.push_back("\"" + path + ".content\" must be a string");
    }
    if (status != nullptr && status->kind != Kind::string) {
      out.push_back("\"" + path + ".status\" must be a string");
    } else if (status != nullptr && !is_status(*status)) {
      out.push_back("\"" + path + ".status\" must be one of [\"pending\",\"in_progress\",\"completed\"]");
    }
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
  for (const std::string &violation : schema_violations(root)) {
    violations += (violations.empty() ? "" : "; ") + violation;
  }
  if (!violations.empty()) return {false, true, "invalid arguments: " + violations};
  std::set<std::u16string> seen;
  std::string data;
  int active = 0;
  for (const Node &item : member(root, u"todos")->elements) {
    const std::u16string content = trimmed(member(item, u"content")->string);
    if (content.empty()) return refused("invalid todo: `content` must be a non-empty string");
    if (!seen.insert(content).second) {
      return refused("invalid todos: duplicate content " + stringify(content));
    }
    const std::u16string &status = member(item, u"status")->string;
    if (status == u"in_progress") ++active;
    data += (data.empty() ? "" : ",") + std::string(R"({"content":)") + stringify(content) + R"(,"status":)" +
            stringify(status) + "}";
  }
  if (!allow_parallel && active > 1) {
    return refused("invalid todos: at most one task may be in_progress (got " + std::to_string(active) + ")");
  }
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
        trimmed(content->string) != content->string) {
      return "todo/write content must be non-empty and already trimmed";
    }
    if (!seen.insert(content->string).second) {
      return "todo/write repeats content " + stringify(content->string);
    }
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
    if (content == nullptr || content->kind != Kind::string || status == nullptr || !is_status(*status)) {
      return std::nullopt;
    }
    view += (view.empty() ? "" : ",") + std::string(R"({"content":)") + stringify(content->string) +
            R"(,"status":)" + stringify(status->string) + "}";
  }
  return "[" + view + "]";
}

// --- Values and spellings at random --------------------------------------------------------------------

class RandomJson {
 public:
  explicit RandomJson(std::uint32_t seed) : random_(seed) {}

  bool chance(int percent) { return below(100) < percent; }
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }

  template <class T, std::size_t N>
  const T &one_of(const T (&values)[N]) {
    return values[below(static_cast<int>(N))];
  }

  /// Contents collide now and then, also after trimming; every kind of character turns up.
  std::u16string text() {
    static const std::u16string pieces[] = {
        u"a",      u"b",          u" ",          u"\t",     u"\n",
        u"\"",     u"\\",         u"/",          u"\u0000", u"\u001F",
        u"\u007F", u"\u0085",     u"\u00A0",     u"\u00E9", u"e\u0301",
        u"\u180E", u"\u200B",     u"\u2028",     u"\u3000", u"\u6F22\u5B57",
        u"\uFEFF", u"\U0001F600", u"\U0001D11E", u"{",      u"}",
        u"[",      u"]",          u",",          u":",      u"\"status\":\"pending\"",
        u"\"}]}",  u"content",    u"'"};
    std::u16string out;
    for (int i = below(100) < 70 ? 1 + below(3) : below(30); i > 0; --i) {
      if (chance(4)) {
        out += static_cast<char16_t>(0xD800 + below(0x800));
      } else {
        out += chance(70) ? pieces[below(2)] : one_of(pieces);
      }
    }
    return out;
  }

  std::u16string status() {
    static const std::u16string sound[] = {u"pending", u"in_progress", u"completed"};
    static const std::u16string other[] = {u"",          u"Pending", u"done", u"pending ", u"in progress",
                                           u"cancelled", u"\xD800"};
    return chance(fault_percent) ? one_of(other) : one_of(sound);
  }

  std::u16string key() {
    static const std::u16string keys[] = {
        u"id",     u"todos",  u"content",    u"status",      u"",          u"0",    u"10",
        u"2",      u"01",     u"4294967294", u"4294967295",  u"__proto__", u"a\"b", u"\u0000",
        u"\xD800", u"\u00E9", u"Content",    u"constructor", u"activeForm"};
    return one_of(keys);
  }

  Node scalar() {
    static const Node literals[] = {literal_node("null", "null"),
                                    literal_node("true", "true"),
                                    literal_node("false", "false"),
                                    literal_node("0", "0"),
                                    literal_node("-1", "-1"),
                                    literal_node("1.50", "1.5"),
                                    literal_node("1e2", "100"),
                                    literal_node("12345678901234567890", "12345678901234567000"),
                                    literal_node("1E-7", "1e-7"),
                                    literal_node("0.1", "0.1"),
                                    literal_node("-0", "0", true),
                                    literal_node("-0.0", "0", true),
                                    literal_node("1e999", "null", true),
                                    literal_node("-1e-400", "0", true),
                                    literal_node("1e-400", "0")};
    if (chance(40)) return string_node(text());
    const Node &literal = one_of(literals);
    return literal.lossy && !lossy_numbers ? literals[3] : literal;
  }

  Node any(int depth) {
    if (depth == 0 || chance(60)) return scalar();
    const int size = below(4);
    if (chance(50)) {
      std::vector<Node> elements;
      for (int i = 0; i < size; ++i) elements.push_back(any(depth - 1));
      return array_node(std::move(elements));
    }
    std::vector<std::pair<std::u16string, Node>> members;
    for (int i = 0; i < size; ++i) members.emplace_back(key(), any(depth - 1));
    return object_node(std::move(members));
  }

  Node item() {
    if (chance(fault_percent)) return any(2);
    std::vector<std::pair<std::u16string, Node>> members;
    if (!chance(fault_percent))
      members.emplace_back(u"content", chance(fault_percent) ? any(2) : string_node(text()));
    if (!chance(fault_percent))
      members.emplace_back(u"status", chance(fault_percent) ? any(2) : string_node(status()));
    while (chance(fault_percent))
      members.insert(members.begin() + below(static_cast<int>(members.size()) + 1), {key(), any(2)});
    if (chance(15) && members.size() > 1) std::swap(members.front(), members.back());
    return object_node(std::move(members));
  }

  Node list() {
    if (chance(fault_percent)) return any(2);
    std::vector<Node> items;
    for (int i = chance(80) ? below(4) : below(20); i > 0; --i) items.push_back(item());
    return array_node(std::move(items));
  }

  /// An object with a list, now and then with other keys, duplicates and faults.
  Node root() {
    std::vector<std::pair<std::u16string, Node>> members;
    if (!chance(fault_percent)) members.emplace_back(u"todos", list());
    while (chance(fault_percent))
      members.insert(members.begin() + below(static_cast<int>(members.size()) + 1), {key(), any(3)});
    if (chance(fault_percent)) members.emplace_back(u"todos", list());
    return object_node(std::move(members));
  }

  /// One way to write `node`. `plain`: compact, and escaped as JSON.stringify does.
  std::string spell(const Node &node, bool plain) {
    std::string out = space(plain);
    switch (node.kind) {
      case Node::Kind::literal:
        out += plain && !node.lossy ? node.printed : node.literal;
        break;
      case Node::Kind::string:
        out += spell(node.string, plain);
        break;
      case Node::Kind::array: {
        out += "[";
        for (std::size_t i = 0; i < node.elements.size(); ++i)
          out += (i > 0 ? "," : "") + spell(node.elements[i], plain);
        if (node.elements.empty()) out += space(plain);
        out += "]";
        break;
      }
      case Node::Kind::object: {
        out += "{";
        for (std::size_t i = 0; i < node.members.size(); ++i) {
          const auto &[key, value] = node.members[i];
          out += (i > 0 ? "," : "") + space(plain) + spell(key, plain) + space(plain) + ":" +
                 spell(value, plain);
        }
        if (node.members.empty()) out += space(plain);
        out += "}";
        break;
      }
    }
    return out + space(plain);
  }

  std::string spell(std::u16string_view text, bool plain) {
    if (plain || chance(50)) return stringify(text);
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char16_t unit = text[i];
      const std::string_view short_escapes = "\"\\/";
      if (unit < 0x80 && short_escapes.find(static_cast<char>(unit)) != std::string_view::npos &&
          chance(50)) {
        out += {'\\', static_cast<char>(unit)};
      } else if (chance(40)) {
        out += unicode_escape(unit, chance(50));
      } else if (is_high(unit) && i + 1 < text.size() && is_low(text[i + 1])) {
        out += to_wtf8(text.substr(i++, 2));
      } else {
        const std::string quoted = stringify(text.substr(i, 1));
        out += quoted.substr(1, quoted.size() - 2);
      }
    }
    return out + "\"";
  }

  /// Breaks a text somewhere: a byte changed, dropped, doubled, or the tail cut off.
  std::string damaged(std::string text) {
    static const char bytes[] = {'"', '\\', '{', '}',  '[',    ']',    ',',    ':',    ' ',    '\n',   '0',
                                 '-', 'e',  'u', '\0', '\x1F', '\x7F', '\x80', '\xC3', '\xED', '\xFF', 't'};
    for (int i = 1 + below(2); i > 0 && !text.empty(); --i) {
      const auto at = static_cast<std::size_t>(below(static_cast<int>(text.size())));
      switch (below(4)) {
        case 0:
          text[at] = one_of(bytes);
          break;
        case 1:
          text.erase(at, 1);
          break;
        case 2:
          text.insert(at, 1, one_of(bytes));
          break;
        default:
          text.resize(at);
      }
    }
    return text;
  }

  int fault_percent = 4;      ///< how often something is not as it should be, at each turn
  bool lossy_numbers = true;  ///< may numbers that JSON cannot say turn up?

 private:
  std::string space(bool plain) {
    static const char *const spaces[] = {" ", "\n", "\t", "\r\n  ", "    "};
    return plain || chance(85) ? "" : one_of(spaces);
  }

  std::mt19937 random_;
};

}  // namespace dsh::todo::test
