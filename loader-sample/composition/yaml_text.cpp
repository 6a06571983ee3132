#include "composition/yaml_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

#include "text/error.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

char lower(char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Is text[at…] the spelling \uFNNN of a code unit FNNN whose first digit is `digit` (lower case) and
/// whose second is 8 or more?
bool is_escape(std::string_view text, std::size_t at, char digit) {
  return at + 6 <= text.size() && text[at] == '\\' && text[at + 1] == 'u' && lower(text[at + 2]) == digit &&
         is_hex(text[at + 3]) && lower(text[at + 3]) >= '8' && is_hex(text[at + 4]) && is_hex(text[at + 5]);
}

/// Changes the first digit of every escape from `from` to `to`, keeping its case.
void respell(std::string &text, char from, char to) {
  for (auto at = text.find("\\u"); at != std::string::npos; at = text.find("\\u", at + 2))
    if (is_escape(text, at, from))
      text[at + 2] = text[at + 2] == from ? to : static_cast<char>(to - 'a' + 'A');
}

std::string hexadecimal(std::uint32_t value) {
  std::string digits;
  for (int shift = value > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4)
    digits += "0123456789ABCDEF"[(value >> shift) & 0xF];
  return digits;
}

/// Is `argument` of %YAML a version 1.x, with nothing after it but a comment?
bool is_version_1(std::string_view argument) {
  argument.remove_prefix(std::min(argument.find_first_not_of(" \t"), argument.size()));
  if (!argument.starts_with("1.")) return false;
  argument.remove_prefix(2);
  const auto digits = std::min(argument.find_first_not_of("0123456789"), argument.size());
  const auto rest = argument.substr(digits);
  const auto after = rest.find_first_not_of(" \t");
  return digits > 0 && (after == std::string_view::npos || (after > 0 && rest[after] == '#'));
}

/// yaml-cpp turns the escapes \N and \_ into the bytes 85 and A0 instead of U+0085 and U+00A0.
std::string with_latin1_repaired(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto c = decode(text);
    if (c.valid)
      out += text.substr(0, c.size);
    else
      append_code_point(out, static_cast<unsigned char>(text.front()));
    text.remove_prefix(c.valid ? c.size : 1);
  }
  return out;
}

/// `text` with the characters U+X800-XFFF, X being `digit`, replaced by the surrogates that they stand for.
std::string with_surrogates(std::string_view text, char digit) {
  const auto base = static_cast<std::uint32_t>(digit - 'a' + 10) << 12U;
  std::string out;
  std::uint32_t high = 0;  // a leading surrogate not yet written
  const auto flush = [&out, &high] {
    if (high != 0) {
      append_code_point(out, high);
      high = 0;
    }
  };
  while (!text.empty()) {
    const auto c = decode(text);
    if (c.value < base + 0x800 || c.value > base + 0xFFF) {
      flush();
      out += text.substr(0, c.size);
    } else if (const std::uint32_t unit = c.value - base + 0xD000; unit < 0xDC00) {
      flush();
      high = unit;
    } else if (high != 0) {
      append_code_point(out, 0x10000 + ((high - 0xD800) << 10U) + (unit - 0xDC00));
      high = 0;
    } else {
      append_code_point(out, unit);
    }
    text.remove_prefix(c.size);
  }
  flush();
  return out;
}

/// Is the question mark at `at` part of a word or text, rather than the mark of an explicit key?
bool is_within_word(std::string_view text, std::size_t at) {
  const char next = at + 1 < text.size() ? text[at + 1] : '\n';
  if (next != ' ' && next != '\t' && next != '\n') return true;
  const auto before = text.substr(0, at).find_last_not_of(" \t");
  return before != std::string_view::npos &&
         std::string_view("\n-?:,[{").find(text[before]) == std::string_view::npos;
}

/// Control characters that YAML bars everywhere; those it allows in double quotes are let through.
bool is_barred(std::uint32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n') || is_surrogate(c) || c == 0xFFFE || c == 0xFFFF;
}

}  // namespace

YamlText::YamlText(std::string_view text, std::string_view file) : file_(file) {
  normalise(text);
  check_directives();
  disguise_surrogates();
  disguise_question_marks();
}

void YamlText::fail(std::size_t offset, const std::string &what) const {
  offset = std::min(offset, text_.size());
  const std::string_view before(text_.data(), offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto start = before.rfind('\n') + 1;  // npos + 1 == 0
  // Columns count characters, not bytes.
  const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(start), before.end(),
                                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }) +
                      1;
  throw Error(file_ + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + what);
}

void YamlText::normalise(std::string_view raw) {
  if (raw.starts_with(byte_order_mark)) raw.remove_prefix(byte_order_mark.size());
  text_.reserve(raw.size() + 1);
  while (!raw.empty()) {
    if (raw.front() == '\r') {
      text_ += '\n';
      raw.remove_prefix(raw.starts_with("\r\n") ? 2 : 1);
      continue;
    }
    if (raw.front() == '\t' && (text_.empty() || text_.back() == '\n')) {
      // yaml-cpp takes the tab of a blank line, or before a comment, for indentation.
      const auto end = std::min(raw.find_first_not_of(" \t"), raw.size());
      if (end == raw.size() || raw[end] == '\r' || raw[end] == '\n' || raw[end] == '#') {
        raw.remove_prefix(end);
        continue;
      }
    }
    const auto c = decode(raw);
    if (!c.valid) fail(text_.size(), "a byte that is not UTF-8: save the file as UTF-8");
    if (is_barred(c.value))
      fail(text_.size(),
           "the control character U+" + hexadecimal(c.value) +
               " does not belong in YAML: remove it, or write it as an escape in double quotes");
    text_ += raw.substr(0, c.size);
    raw.remove_prefix(c.size);
  }
  if (!text_.empty() && text_.back() != '\n') text_ += '\n';
}

void YamlText::check_directives() const {
  std::optional<std::size_t> directive;
  bool has_version = false;
  for (std::size_t start = 0; start < text_.size();) {
    const auto end = text_.find('\n', start);
    const auto line = std::string_view(text_).substr(start, end - start);
    const auto content = line.find_first_not_of(" \t");
    if (line.starts_with('%')) {
      if (line.size() == 1 || line[1] == ' ' || line[1] == '\t')
        fail(start + 1, "a directive needs a name after the %");
      if (line.substr(1).starts_with("YAML ") || line.substr(1).starts_with("YAML\t")) {
        if (has_version || !is_version_1(line.substr(5))) fail(start, "expected %YAML 1.2, once");
        has_version = true;
      }
      directive = start;
    } else if (content != std::string_view::npos && line[content] != '#') {
      if (directive && !(line.starts_with("---") && line.find_first_not_of(" \t", 3) != 3))
        fail(start, "a line --- must follow the directives");
      // yaml-cpp would take it for a directive of a next document, and drop it.
      if (const auto stray = text_.find("\n%", start); stray != std::string::npos)
        fail(stray + 1, "a % can't begin a line here: put the text in quotes, or indent it");
      return;
    }
    start = end + 1;
  }
  if (directive) fail(text_.size(), "a line --- must follow the directives");
}

void YamlText::disguise_surrogates() {
  bool any = false;
  for (auto at = text_.find("\\u"); !any && at != std::string::npos; at = text_.find("\\u", at + 2))
    any = is_escape(text_, at, 'd');
  if (!any) return;
  // Any of these digits serves whose range U+X800-XFFF the text neither holds nor spells.
  std::string candidates = "eabcf";
  const auto rule_out = [&candidates](char digit) { std::erase(candidates, digit); };
  std::string_view rest = text_;
  while (!rest.empty()) {
    const auto c = decode(rest);
    if (c.value <= 0xFFFF && (c.value & 0x800U) != 0) rule_out("0123456789abcdef"[c.value >> 12U]);
    if (rest.starts_with("\\u") && rest.size() > 2) rule_out(lower(rest[2]));
    if (rest.starts_with("\\U0000") && rest.size() > 6) rule_out(lower(rest[6]));
    rest.remove_prefix(rest.starts_with("\\u") && is_escape(rest, 0, 'd') ? 6 : c.size);
  }
  if (candidates.empty())
    fail(0, "escapes of surrogates (\\ud800) beside text that uses every other range of characters");
  surrogate_digit_ = candidates.front();
  respell(text_, 'd', surrogate_digit_);
}

void YamlText::disguise_question_marks() {
  std::vector<std::size_t> places;
  for (auto at = text_.find('?'); at != std::string::npos; at = text_.find('?', at + 1))
    if (is_within_word(text_, at)) places.push_back(at);
  if (places.empty()) return;
  // Control characters have been refused: one that no escape spells means nothing else.
  std::string candidates = "\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1C\x1D\x1E\x1F";
  for (auto at = text_.find('\\'); at != std::string::npos; at = text_.find('\\', at + 1)) {
    const auto rest = std::string_view(text_).substr(at);
    for (const std::string_view prefix : {"\\x", "\\u00", "\\U000000"}) {
      if (rest.starts_with(prefix)) {
        int value = 0;
        std::from_chars(rest.data() + prefix.size(), rest.data() + std::min(rest.size(), prefix.size() + 2),
                        value, 16);
        std::erase(candidates, static_cast<char>(value));
      }
    }
  }
  if (candidates.empty()) return;  // then yaml-cpp may refuse what is sound, but misreads nothing
  question_mark_ = candidates.front();
  for (const auto place : places) text_[place] = question_mark_;
}

std::string YamlText::undisguised(std::string scalar) const {
  std::replace(scalar.begin(), scalar.end(), question_mark_, '?');
  if (!is_wtf8(scalar)) scalar = with_latin1_repaired(scalar);
  if (surrogate_digit_ != 0) {
    scalar = with_surrogates(scalar, surrogate_digit_);
    respell(scalar, surrogate_digit_, 'd');  // what stood outside double quotes, where it is no escape
  }
  return scalar;
}

}  // namespace dsh::loader
