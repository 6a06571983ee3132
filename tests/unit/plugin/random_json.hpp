// JSON values at random, spelt in every way a model may.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json_node.hpp"

namespace dsh::todo::test {

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
    for (int i = below(100) < 70 ? 1 + below(3) : below(30); i > 0; --i)
      if (chance(4))
        out += static_cast<char16_t>(0xD800 + below(0x800));
      else
        out += chance(70) ? pieces[below(2)] : one_of(pieces);
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
