#include "mcp/json_rpc.hpp"

#include <utility>

#include "text/json_reader.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

RpcMessage invalid(RpcMessage message, std::string fault) {
  message.kind = RpcMessage::Kind::invalid;
  message.fault = std::move(fault);
  return message;
}

}  // namespace

RpcMessage read_rpc_message(std::string_view json) {
  RpcMessage message;
  std::string_view version;
  std::string_view id;
  std::string_view method;
  bool answer = false;
  if (!is_json_object(json)) return invalid(message, "a message is an object");
  JsonReader reader(json);
  JsonString key;
  for (std::string_view value; reader.next_member(key) && reader.value(value);) {
    if (key == "jsonrpc") version = value;
    if (key == "id") id = value;
    if (key == "method") method = value;
    if (key == "params") message.params = value;
    answer = answer || key == "result" || key == "error";
  }
  const bool has_id = !id.empty() && (is_json_string(id) || is_json_number(id));
  if (has_id) message.id = id;
  // Whatever is wrong with an answer: to answer it would have two peers answer each other for ever.
  if (method.empty() && answer) {
    message.kind = RpcMessage::Kind::response;
    return message;
  }
  if (string_value(version) != "2.0") return invalid(message, "jsonrpc is not \"2.0\"");
  if (!id.empty() && !has_id) return invalid(message, "id is neither a text nor a number");
  const auto name = string_value(method);
  if (!name) return invalid(message, "method is not a text");
  message.method = *name;
  if (message.params == "null") message.params = {};
  message.kind = id.empty() ? RpcMessage::Kind::notification : RpcMessage::Kind::request;
  return message;
}

std::string rpc_result(std::string_view id, std::string_view result) {
  std::string text;
  text.reserve(result.size() + id.size() + 40);
  text.append(R"({"jsonrpc":"2.0","id":)").append(id).append(R"(,"result":)").append(result).append("}");
  return text;
}

std::string rpc_error(std::string_view id, int code, std::string_view message, std::string_view data) {
  std::string text = R"({"jsonrpc":"2.0","id":)";
  text.append(id).append(R"(,"error":{"code":)").append(std::to_string(code)).append(R"(,"message":)");
  append_json_string(text, message);
  if (!data.empty()) text.append(R"(,"data":)").append(data);
  return text.append("}}");
}

std::string rpc_notification(std::string_view method, std::string_view params) {
  std::string text = R"({"jsonrpc":"2.0","method":)";
  append_json_string(text, method);
  return text.append(R"(,"params":)").append(params).append("}");
}

}  // namespace dsh::loader
