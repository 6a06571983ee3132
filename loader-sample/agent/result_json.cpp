#include "agent/result_json.hpp"

#include "services/tool_result.hpp"
#include "text/json_array.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {

std::string tools_json(const std::vector<ToolInfo> &tools) {
  return json_array(tools, [](const ToolInfo &tool) {
    std::string text = "{\"name\":" + json_string(tool.name) +
                       ",\"description\":" + json_string(tool.description) +
                       ",\"parameters\":" + tool.parameters;
    if (!tool.output.empty()) text += ",\"output\":" + tool.output;
    return text + '}';
  });
}

std::string values_json(const ProjectionValues &values) {
  std::string text = "{";
  for (const auto &[key, value] : values) {
    if (text.size() > 1) text += ',';
    text += json_string(key) + ':' + value;
  }
  return text + '}';
}

std::string error_info_json(const ToolResult &result) {
  if (result.error_name.empty() && result.error_code.empty()) return {};
  std::string text = "{\"name\":" + json_string(result.error_name);
  if (!result.error_code.empty()) text += ",\"code\":" + json_string(result.error_code);
  return text + '}';
}

std::string error_json(const ToolResult &result) {
  std::string text = "{\"message\":" + json_string(result.message);
  if (const std::string info = error_info_json(result); !info.empty()) text += ",\"info\":" + info;
  return text + '}';
}

std::string result_json(const ToolResult &result) {
  std::string text =
      result.is_error ? "{\"isError\":true,\"error\":" + error_json(result) + ',' : "{\"isError\":false,";
  text += "\"content\":" + text_content_json(result.text);
  if (!result.value.empty()) text += ",\"value\":" + result.value;
  return text + '}';
}

}  // namespace dsh::loader
