#include "commands/text_lines.hpp"

namespace dsh::loader {

std::string shown_lines(std::string_view text, const Style &style) {
  std::string lines;
  for (;;) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines += shown(line, style);
    if (line.size() == text.size()) return lines;
    lines += '\n';
    text.remove_prefix(line.size() + 1);
  }
}

std::string joined(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines) (text += line) += '\n';
  return text;
}

}  // namespace dsh::loader
