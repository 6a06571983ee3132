#include "composition/yaml_text.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

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
  for (auto at = text.find("\\u"); at != std::string::npos; at = text.find("\\u", at + 2)) {
    if (is_escape(text, at, from)) {
      text[at + 2] = text[at + 2] == from ? to : static_cast<char>(to - 'a' + 'A');
    }
  }
}

std::string hexadecimal(std::uint32_t value) {
  std::string digits;
  for (int shift = value > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4) {
    digits += "0123456789ABCDEF"[(value >> shift) & 0xF];
  }
  return digits;
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
  if (raw.starts_with(byte_order_mark)) {
    raw.remove_prefix(byte_order_mark.size());
  }
  text_.reserve(raw.size() + 1);
  while (!raw.empty()) {
    if (raw.front() == '\r') {
      text_ += '\n';
      raw.remove_prefix(raw.starts_with("\r\n") ? 2 : 1);
      continue;
    }
    const auto c = decode(raw);
    if (!c.valid) {
      fail(text_.size(), "a byte that is not UTF-8: save the file as UTF-8");
    }
    if (is_barred(c.value)) {
      fail(text_.size(),
           "the control character U+" + hexadecimal(c.value) +
               " does not belong in YAML: remove it, or write it as an escape in double quotes");
    }
    text_ += raw.substr(0, c.size);
    raw.remove_prefix(c.size);
  }
  if (!text_.empty() && text_.back() != '\n') {
    text_ += '\n';
  }
}

void YamlText::check_directives() const {
  std::optional<std::size_t> directive;
  for (std::size_t start = 0; start < text_.size();) {
    const auto end = text_.find('\n', start);
    const auto line = std::string_view(text_).substr(start, end - start);
    const auto content = line.find_first_not_of(" \t");
    if (line.starts_with('%')) {
      if (line.size() == 1 || line[1] == ' ' || line[1] == '\t') {
        fail(start + 1, "a directive needs a name after the %");
      }
      directive = start;
    } else if (content != std::string_view::npos && line[content] != '#') {
      if (directive && !(line.starts_with("---") && line.find_first_not_of(" \t", 3) != 3)) {
        fail(start, "a line --- must follow the directives");
      }
      return;
    }
    start = end + 1;
  }
  if (directive) {
    fail(text_.size(), "a line --- must follow the directives");
  }
}

void YamlText::disguise_surrogates() {
  bool any = false;
  for (auto at = text_.find("\\u"); !any && at != std::string::npos; at = text_.find("\\u", at + 2)) {
    any = is_escape(text_, at, 'd');
  }
  if (!any) {
    return;
  }
  // Any of these digits serves whose range U+X800-XFFF the text neither holds nor spells.
  std::string candidates = "eabcf";
  const auto rule_out = [&candidates](char digit) { std::erase(candidates, digit); };
  std::string_view rest = text_;
  while (!rest.empty()) {
    const auto c = decode(rest);
    if (c.value <= 0xFFFF && (c.value & 0x800U) != 0) {
      rule_out("0123456789abcdef"[c.value >> 12U]);
    }
    if (rest.starts_with("\\u") && rest.size() > 2) {
      rule_out(lower(rest[2]));
    }
    if (rest.starts_with("\\U0000") && rest.size() > 6) {
      rule_out(lower(rest[6]));
    }
    rest.remove_prefix(rest.starts_with("\\u") && is_escape(rest, 0, 'd') ? 6 : c.size);
  }
  if (candidates.empty()) {
    fail(0, "escapes of surrogates (\\ud800) beside text that uses every other range of characters");
  }
  disguise_ = candidates.front();
  respell(text_, 'd', disguise_);
}

std::string YamlText::undisguised(const std::string &scalar) const {
  if (disguise_ == 0) {
    return scalar;
  }
  const auto base = static_cast<std::uint32_t>(disguise_ - 'a' + 10) << 12U;
  std::string out;
  std::uint32_t high = 0;  // a leading surrogate not yet written
  const auto flush = [&out, &high] {
    if (high != 0) {
      append_code_point(out, high);
      high = 0;
    }
  };
  for (std::string_view rest = scalar; !rest.empty();) {
    const auto c = decode(rest);
    if (c.value < base + 0x800 || c.value > base + 0xFFF) {
      flush();
      out += rest.substr(0, c.size);
    } else if (const std::uint32_t unit = c.value - base + 0xD000; unit < 0xDC00) {
      flush();
      high = unit;
    } else if (high != 0) {
      append_code_point(out, 0x10000 + ((high - 0xD800) << 10U) + (unit - 0xDC00));
      high = 0;
    } else {
      append_code_point(out, unit);
    }
    rest.remove_prefix(c.size);
  }
  flush();
  respell(out, disguise_, 'd');  // what stood outside double quotes, where it is no escape
  return out;
}

}  // namespace dsh::loader
