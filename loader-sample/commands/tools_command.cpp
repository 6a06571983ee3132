#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "commands/commands.hpp"
#include "commands/loaded_host.hpp"
#include "commands/result_json.hpp"
#include "commands/text_lines.hpp"
#include "view/cell_width.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

/// `text` in indented rows, its own line breaks kept.
std::string indented(std::string_view text, const Style &style) {
  constexpr std::string_view kIndent = "    ";
  const std::string lines = shown_lines(text, style);
  const std::size_t width = style.width > kIndent.size() ? style.width - kIndent.size() : lines.size() + 1;
  std::string rows;
  for (std::string_view rest = lines; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    for (const std::string_view row : wrap(line, width)) (rows += kIndent).append(row) += '\n';
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return rows;
}

std::string described(const ToolInfo &tool, const Style &style) {
  std::string text = shown(tool.name, style) + '\n' + indented(tool.description, style);
  text += "  arguments\n" + indented(tool.parameters, style);
  if (!tool.output.empty()) text += "  value\n" + indented(tool.output, style);
  return text;
}

}  // namespace

int tools_command(const CommonOptions &common, const Output &output) {
  LoadedHost host(common, Keep::memory);
  host.load_or_name_file();
  const std::vector<ToolInfo> tools = host->tools().list();
  if (common.json) {
    output.write("{\"tools\":" + tools_json(tools) + "}\n");
    return kDone;
  }
  std::string text;
  for (const ToolInfo &tool : tools) {
    if (!text.empty()) text += '\n';
    text += described(tool, detect_style(output.descriptor()));
  }
  output.write(text);
  return kDone;
}

}  // namespace dsh::loader
