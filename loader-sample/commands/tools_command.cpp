#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "agent/result_json.hpp"
#include "commands/commands.hpp"
#include "commands/loaded_host.hpp"
#include "text/json_text.hpp"
#include "view/paragraph.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

/// JSON (compact) over several lines, for people.
std::string spread(std::string_view json) {
  std::string text;
  std::string line_start = "\n";
  bool in_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char one = json[at];
    if (one == '"') in_string = !in_string;
    if (in_string && one == '\\') text += json[at++];
    const bool closes = !in_string && (one == '}' || one == ']');
    const bool opens = !in_string && (one == '{' || one == '[');
    const bool empty = opens && at + 1 < json.size() && (json[at + 1] == '}' || json[at + 1] == ']');
    if (closes && json[at - 1] != '{' && json[at - 1] != '[') {
      line_start.resize(line_start.size() - 2);
      text += line_start;
    }
    text += json[at];
    if (opens && !empty) text += line_start += "  ";
    if (!in_string && one == ',') text += line_start;
    if (!in_string && one == ':') text += ' ';
  }
  return text;
}

constexpr std::size_t indent = 4;

std::string described(const ToolInfo &tool, const Style &style) {
  std::string text =
      joined(shown_lines(tool.name, 0, style)) + joined(shown_lines(tool.description, indent, style));
  text += "  arguments\n" + joined(shown_lines(spread(compact_json(tool.parameters)), indent, style));
  if (!tool.output.empty())
    text += "  value\n" + joined(shown_lines(spread(compact_json(tool.output)), indent, style));
  return text;
}

}  // namespace

int tools_command(const CommonOptions &common, const Output &output) {
  LoadedHost host(common, Keep::memory);
  host.load_or_name_file();
  const std::vector<ToolInfo> tools = host->tools().list();
  if (common.json) {
    output.write_json("{\"tools\":" + tools_json(tools) + "}\n");
    return exit_done;
  }
  std::string text;
  for (const ToolInfo &tool : tools) {
    if (!text.empty()) text += '\n';
    text += described(tool, detect_style(output.descriptor()));
  }
  output.write(text);
  return exit_done;
}

}  // namespace dsh::loader
