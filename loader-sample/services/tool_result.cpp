#include "services/tool_result.hpp"

#include "text/json_text.hpp"
#include "text/uuid.hpp"

namespace dsh::loader {

std::string text_content_json(std::string_view text) {
  std::string content = R"([{"type":"text","text":)";
  append_json_string(content, text);
  return content + "}]";
}

std::string tool_result_data(const ToolResultParts &parts) {
  std::string data = R"({"turn":)";
  data.append(parts.turn).append(R"(,"step":)").append(parts.step);
  data.append(R"(,"message":{"role":"user","source":{"kind":"tool","callId":)").append(parts.call_id);
  data.append(R"(},"content":[{"type":"tool-result","toolCallId":)").append(parts.call_id);
  data.append(R"(,"content":)").append(parts.content);
  data.append(R"(,"isError":)").append(parts.error.empty() ? "false" : "true");
  data.append(R"(}],"id":")").append(random_uuid()).append("\"}");
  if (!parts.error.empty()) data.append(R"(,"error":)").append(parts.error);
  return data + '}';
}

}  // namespace dsh::loader
