// JSON values as JavaScript has them: texts in UTF-16, keys in its order; as plainly as they go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
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

inline bool is_high(char16_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
inline bool is_low(char16_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

/// UTF-8 of UTF-16; lone surrogates take three bytes.
inline std::string to_wtf8(std::u16string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::uint32_t c = text[i];
    if (is_high(text[i]) && i + 1 < text.size() && is_low(text[i + 1]))
      c = 0x10000 + ((c - 0xD800) << 10) + (text[++i] - 0xDC00U);
    if (c < 0x80)
      out += static_cast<char>(c);
    else if (c < 0x800)
      out += {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
    else if (c < 0x10000)
      out += {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
              static_cast<char>(0x80 | (c & 0x3F))};
    else
      out += {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 0x3F)),
              static_cast<char>(0x80 | (c >> 6 & 0x3F)), static_cast<char>(0x80 | (c & 0x3F))};
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
  for (const auto &member : object.members)
    if (const auto index = index_of(member.first)) indices.insert(*index);
  for (const std::uint64_t index : indices) {
    for (const auto &member : object.members)
      if (index_of(member.first) == index) out.push_back(member);
  }
  for (const auto &member : object.members)
    if (!index_of(member.first)) out.push_back(member);
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
      for (const auto &[key, value] : own_members(node))
        out += (out.empty() ? "" : ",") + stringify(key) + ":" + stringify(value);
      return "{" + out + "}";
  }
  return out;
}

inline bool is_lossless(const Node &node) {
  for (const Node &element : node.elements)
    if (!is_lossless(element)) return false;
  for (const auto &member : node.members)
    if (!is_lossless(member.second)) return false;
  return !node.lossy;
}

inline const Node *member(const Node &node, std::u16string_view key) {
  for (const auto &[name, value] : node.members)
    if (name == key) return &value;
  return nullptr;
}

}  // namespace dsh::todo::test
