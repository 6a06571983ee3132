#include "text/visible.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "text/utf.hpp"

namespace dsh::loader {
namespace {

// What a terminal would obey, or hide, or let reorder the line.
bool is_hidden(std::uint32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) ||       // C0, DEL, C1
         c == 0x061C || c == 0x200E || c == 0x200F ||  // marks of direction
         (c >= 0x202A && c <= 0x202E) ||               // embeddings and overrides
         (c >= 0x2066 && c <= 0x2069) ||               // isolates
         c == 0x2028 || c == 0x2029 || c == 0xFEFF ||  // line and paragraph separator, BOM
         (c >= 0xFFF9 && c <= 0xFFFB) ||               // interlinear annotations
         (c >= 0xE0000 && c <= 0xE007F);               // tags
}

void append_mark(std::string &out, std::uint32_t c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  char mark[16];
  const char *format = c <= 0xFF ? "\\x%02x" : c <= 0xFFFF ? "\\u%04x" : "\\u{%x}";
  const int size = std::snprintf(mark, sizeof mark, format, static_cast<unsigned>(c));
  out.append(mark, static_cast<std::size_t>(size));
}

/// How many bytes at the start of `text` are ASCII that stays as it is: nearly all of most texts.
std::size_t plain_prefix(std::string_view text) {
  const auto *const end =
      std::find_if_not(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7E; });
  return static_cast<std::size_t>(end - text.begin());
}

/// Is this the first byte of a character beyond ASCII that is_hidden(), of a few others, or DEL?
bool may_be_hidden(char byte) noexcept {
  switch (static_cast<unsigned char>(byte)) {
    case 0x7F:  // DEL
    case 0xC2:  // C1
    case 0xD8:  // U+061C
    case 0xE2:  // U+200E to U+2069
    case 0xEF:  // U+FEFF, U+FFF9
    case 0xF3:  // tags
      return true;
    default:
      return false;
  }
}

void append_json_escape(std::string &out, std::uint32_t c) {
  char escape[16];
  const std::uint32_t low = 0xDC00 + ((c - 0x10000) & 0x3FFU);
  const int size =
      c < 0x10000 ? std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c))
                  : std::snprintf(escape, sizeof escape, "\\u%04x\\u%04x",
                                  static_cast<unsigned>(0xD7C0 + (c >> 10U)), static_cast<unsigned>(low));
  out.append(escape, static_cast<std::size_t>(size));
}

}  // namespace

std::string visible_path(const std::filesystem::path &path) { return visible(path.string()); }

std::string visible_json(std::string json) {
  auto from = std::find_if(json.begin(), json.end(), may_be_hidden);
  if (from == json.end()) return json;  // nearly every text
  std::string out(json.begin(), from);
  while (from != json.end()) {
    const CodePoint point = decode({&*from, static_cast<std::size_t>(json.end() - from)});
    const auto after = from + static_cast<std::ptrdiff_t>(point.size);
    if (is_hidden(point.value))
      append_json_escape(out, point.value);
    else
      out.append(from, after);
    from = std::find_if(after, json.end(), may_be_hidden);
    out.append(after, from);
  }
  return out;
}

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = plain_prefix(text);
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const CodePoint point = decode(text);
    if (is_hidden(point.value))
      append_mark(out, point.value);
    else
      append_code_point(out, is_surrogate(point.value) ? 0xFFFD : point.value);
    text.remove_prefix(point.size);
  }
  return out;
}

}  // namespace dsh::loader
