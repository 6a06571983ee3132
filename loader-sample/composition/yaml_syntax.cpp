#include "composition/yaml_syntax.hpp"

#include <algorithm>

#include "text/utf.hpp"

namespace dsh::loader {
namespace {

constexpr std::string_view white_space = " \t\n";

/// The end of the run of characters that are not in `stop`, from `offset` on.
std::size_t run_end(std::string_view text, std::size_t offset, std::string_view stop) {
  return std::min(text.find_first_of(stop, offset), text.size());
}

/// Whatever is no white space but these; a question mark may be disguised as a control character.
bool is_tag_character(char c) {
  return (c > 0 && c < 0x20) || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-#;/?:@&=+$_.!~*'()%").find(c) != std::string_view::npos;
}

/// Is text[start, end) a tag, with white space after it?
bool is_tag(std::string_view text, std::size_t start, std::size_t end) {
  const auto tag = text.substr(start, end - start);
  if (tag.starts_with("!<") && tag.ends_with('>')) return true;  // verbatim
  return std::all_of(tag.begin(), tag.end(), is_tag_character);
}

std::size_t closing_quote(std::string_view text, std::size_t open) {
  const char quote = text[open];
  for (auto at = open + 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (quote == '"' || at + 1 >= text.size() || text[at + 1] != quote) return at;
      ++at;
    }
  }
  return text.size();
}

/// yaml-cpp knows an escape of its own.
std::optional<SyntaxFault> find_escape_fault(std::string_view text, std::size_t start, std::size_t end) {
  for (auto at = text.find('\\', start); at < end; at = text.find('\\', at + 2))
    if (text[at + 1] == '\'')
      return SyntaxFault{at, "\\' is no escape: a single quote needs none between double quotes"};
  return std::nullopt;
}

}  // namespace

std::size_t content_of_node(std::string_view text, std::size_t offset) {
  while (offset < text.size())
    if (text[offset] == '!' || text[offset] == '&')
      offset = run_end(text, offset, white_space);
    else if (white_space.find(text[offset]) != std::string_view::npos)
      ++offset;
    else if (text[offset] == '#')
      offset = run_end(text, offset, "\n");
    else
      break;
  return offset;
}

ScalarStyle scalar_style(std::string_view text, std::size_t offset, bool is_empty) {
  const auto content = content_of_node(text, offset);
  if (content == text.size()) return is_empty ? ScalarStyle::absent : ScalarStyle::plain;
  switch (text[content]) {
    case '"':
    case '\'': {
      const auto style = text[content] == '"' ? ScalarStyle::double_quoted : ScalarStyle::single_quoted;
      const auto close = closing_quote(text, content);
      if (!is_empty) return style;
      // The properties of nothing, with a quoted key of the mapping around on the next line?
      const auto after = text.find_first_not_of(" \t", close + 1);
      const bool next_line = text.substr(offset, content - offset).find('\n') != std::string_view::npos;
      const bool is_key = next_line && after != std::string_view::npos && text[after] == ':';
      return is_key || close != content + 1 ? ScalarStyle::absent : style;
    }
    case '|':
    case '>':
      return ScalarStyle::block;
    default:
      return is_empty ? ScalarStyle::absent : ScalarStyle::plain;
  }
}

std::optional<SyntaxFault> find_node_fault(std::string_view text, std::size_t offset) {
  const auto content = content_of_node(text, offset);
  for (auto at = offset; at < content; ++at) {
    if (text[at] == '#') {
      at = run_end(text, at, "\n");
    } else if (text[at] == '!' || text[at] == '&') {
      const auto end = run_end(text, at, white_space);
      if (text[at] == '!' && !is_tag(text, at, end))
        return SyntaxFault{
            at, "a tag needs white space after it, and holds letters, digits and punctuation alone"};
      at = end;
    }
  }
  if (content == text.size()) return std::nullopt;
  if (text[content] == '"' || text[content] == '\'') {
    const auto close = closing_quote(text, content);
    if (close == text.size()) return SyntaxFault{content, "a quote that is never closed"};
    return text[content] == '"' ? find_escape_fault(text, content + 1, close) : std::nullopt;
  }
  if (text[content] == '|' || text[content] == '>') {
    const auto end = std::min(text.find_first_not_of("+-0123456789", content + 1), text.size());
    if (end < text.size() && white_space.find(text[end]) == std::string_view::npos)
      return SyntaxFault{end, "a block text begins on the line after its | or >"};
  }
  return std::nullopt;
}

std::optional<std::size_t> kept_line_ends(std::string_view text, std::size_t offset) {
  auto start = content_of_node(text, offset);
  if (!text.substr(start).starts_with(">+") || run_end(text, start, white_space) != start + 2)
    return std::nullopt;
  std::optional<std::size_t> indent;
  std::size_t blank_lines = 0;
  for (start = run_end(text, start, "\n") + 1; start < text.size();) {
    const auto end = run_end(text, start, "\n");
    const auto content = std::min(text.find_first_not_of(' ', start), text.size());
    if (content >= end) {
      ++blank_lines;
    } else if (const auto column = content - start; column < indent.value_or(column)) {
      break;
    } else {
      indent = indent.value_or(column);
      blank_lines = 0;
    }
    start = end + 1;
  }
  return indent ? std::optional(blank_lines + 1) : std::nullopt;
}

std::size_t column_of(std::string_view text, std::size_t offset) {
  return offset - (text.substr(0, offset).rfind('\n') + 1);  // npos + 1 == 0
}

std::optional<SyntaxFault> find_indent_fault(std::string_view text, std::size_t offset, std::size_t indent) {
  const auto content = content_of_node(text, offset);
  const auto column = column_of(text, content);
  const auto lead = text.substr(content - column, column);
  if (content == text.size() || lead.find_first_not_of(" \t") != std::string_view::npos) return std::nullopt;
  if (lead.find('\t') != std::string_view::npos)
    return SyntaxFault{content - column + lead.find('\t'), "a tab can't indent: use spaces"};
  return column <= indent
             ? std::optional(SyntaxFault{content, "a value must be indented further than what holds it"})
             : std::nullopt;
}

bool has_unprintable(std::string_view text) {
  while (!text.empty()) {
    const auto c = decode(text);
    if (c.value >= 0x7F && c.value < 0xA0 && c.value != 0x85) return true;
    text.remove_prefix(c.size);
  }
  return false;
}

}  // namespace dsh::loader
