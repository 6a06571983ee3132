#include "mcp/protocol.hpp"

#include <algorithm>
#include <array>
#include <boost/json/value.hpp>
#include <exception>
#include <new>
#include <utility>

#include "services/tool_result.hpp"
#include "text/attempt.hpp"
#include "text/error.hpp"
#include "text/json_reader.hpp"
#include "text/json_slices.hpp"
#include "text/json_text.hpp"
#include "view/plan.hpp"
#include "view/plan_markdown.hpp"

namespace dsh::loader {
namespace {

/// The newest first: it answers a version that we don't know.
constexpr std::array<std::string_view, 4> versions{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
/// The only version that has batches.
constexpr std::string_view batch_version = "2025-03-26";
/// A batch is answered on one line, which is kept until it is whole.
constexpr std::size_t most_messages = 10000;
constexpr std::size_t longest_batch_answer = 64UL * 1024 * 1024;

constexpr std::string_view plan_uri = "todo://plan";
constexpr std::string_view out_of_memory =
    "out of memory; what was asked for may have been done all the same: the plan shows it";

/// A refusal of one request.
class Refusal : public std::exception {
 public:
  Refusal(int code, std::string message, std::string data = {})
      : code_(code), message_(std::move(message)), data_(std::move(data)) {}

  std::string answer(std::string_view id) const { return rpc_error(id, code_, message_, data_); }

 private:
  int code_;
  std::string message_;
  std::string data_;
};

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

bool starts_with_word(std::string_view line, std::string_view word) {
  return line.size() >= word.size() && std::equal(word.begin(), word.end(), line.begin(), [](char a, char b) {
           return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b + 32) : b);
         });
}

/// A line of the framing that other protocols over JSON-RPC have.
bool is_header(std::string_view line) {
  return starts_with_word(line, "content-length:") || starts_with_word(line, "content-type:");
}

/// Whom an answer would go to. A batch, or what is no JSON, has no id.
std::string_view id_of(std::string_view json) {
  return json.starts_with('{') && check_json(json) ? read_rpc_message(json).id : "null";
}

std::string_view trimmed(std::string_view json) {
  json.remove_prefix(std::min(json.find_first_not_of(" \t\r"), json.size()));
  return json.substr(0, json.find_last_not_of(" \t\r") + 1);
}

/// The text that a parameter has to be. Throws Refusal.
std::string text_parameter(const RpcMessage &request, std::string_view name) {
  auto value = string_value(json_member(request.params, name));
  if (!value) throw Refusal(invalid_params, request.method + " needs a text \"" + std::string(name) + '"');
  return *std::move(value);
}

/// There is one page of everything. Throws Refusal for a cursor, which we can't have given out; an empty one
/// is how some clients ask for the first page.
void refuse_cursor(const RpcMessage &request) {
  const std::string_view cursor = json_member(request.params, "cursor");
  if (!cursor.empty() && cursor != "null" && string_value(cursor) != "")
    throw Refusal(invalid_params, "unknown cursor");
}

/// Throws Refusal for any other resource than the plan.
void require_plan_uri(const RpcMessage &request) {
  const std::string uri = text_parameter(request, "uri");
  if (uri != plan_uri)
    throw Refusal(resource_not_found, "unknown resource \"" + uri + '"',
                  "{\"uri\":" + json_string(uri) + '}');
}

/// MCP knows only schemas whose root is an object.
bool is_object_schema(std::string_view schema) {
  return string_value(json_member(schema, "type")) == "object";
}

std::string tool_json(const ToolInfo &tool) {
  std::string text = "{\"name\":" + json_string(tool.name) +
                     ",\"description\":" + json_string(tool.description) +
                     ",\"inputSchema\":" + tool.parameters;
  if (!tool.output.empty() && is_object_schema(tool.output)) text += ",\"outputSchema\":" + tool.output;
  return text + '}';
}

std::string tool_result_json(const ToolResult &result) {
  std::string text = "{\"content\":" + text_content_json(result.text);
  if (!result.is_error && is_json_object(result.value)) text += ",\"structuredContent\":" + result.value;
  return text + (result.is_error ? ",\"isError\":true}" : ",\"isError\":false}");
}

std::string content_json(std::string_view type, std::string_view text) {
  std::string json =
      "{\"uri\":\"" + std::string(plan_uri) + "\",\"mimeType\":\"" + std::string(type) + "\",\"text\":";
  append_json_string(json, text);
  return json + '}';
}

}  // namespace

McpProtocol::McpProtocol(Agent &agent, Send send, Note note)
    : agent_(agent), send_(std::move(send)), note_(std::move(note)) {}

void McpProtocol::handle(std::string_view line) {
  if (is_blank(line)) return;
  if (is_header(line)) {
    if (!std::exchange(noted_headers_, true))
      note_(
          "the client sends header lines (Content-Length); they are ignored: a message is one line of JSON");
    return;
  }
  const std::string_view json = trimmed(line);
  try {
    handle_json(json);
  } catch (const std::bad_alloc &) {
    if (wants_answer(json)) send_(rpc_error(id_of(json), internal_error, out_of_memory));
  }
  tell_changes();
}

void McpProtocol::handle_json(std::string_view json) {
  if (const JsonCheck check = check_json(json); !check) {
    send_(rpc_error(
        "null", parse_error,
        std::string("not one JSON text: ") + check.fault + " at byte " + std::to_string(check.offset)));
    return;
  }
  if (json.starts_with('['))
    handle_batch(json);
  else if (std::string text = answer(json); !text.empty())
    send_(std::move(text));
}

bool McpProtocol::wants_answer(std::string_view line) {
  if (is_blank(line) || is_header(line)) return false;
  const std::string_view json = trimmed(line);
  if (json.starts_with('[') || !check_json(json)) return true;
  const RpcMessage::Kind kind = read_rpc_message(json).kind;
  return kind == RpcMessage::Kind::request || kind == RpcMessage::Kind::invalid;
}

void McpProtocol::refuse_long_line(std::size_t longest) {
  send_(rpc_error("null", parse_error, "a line is longer than " + std::to_string(longest) + " bytes"));
}

void McpProtocol::refuse_lost_line() {
  send_(rpc_error("null", internal_error, "out of memory for a line; it was not looked at"));
}

void McpProtocol::tell_changes() {
  // What can't be told for want of memory is told after the next line, or with the next change.
  attempt([this] {
    look_for_change();
    for (; untold_ > 0; --untold_)
      send_(
          rpc_notification("notifications/resources/updated", "{\"uri\":\"" + std::string(plan_uri) + "\"}"));
  });
}

void McpProtocol::look_for_change() {
  if (subscribed_ && agent_.plan_changed()) ++untold_;
}

void McpProtocol::handle_batch(std::string_view json) {
  const auto refuse = [&](std::string_view why) { send_(rpc_error("null", invalid_request, why)); };
  if (version_ != batch_version) return refuse("batches are part of protocol version 2025-03-26 alone");
  std::size_t messages = 0;
  bool initializes = false;
  each_element(json, [&](std::string_view message) {
    ++messages;
    initializes = initializes || read_rpc_message(message).method == "initialize";
  });
  // What the others mean depends on it: none of them is carried out.
  if (initializes) return refuse("initialize must not be part of a batch");
  if (messages == 0) return refuse("an empty batch");
  if (messages > most_messages)
    return refuse("a batch of more than " + std::to_string(most_messages) + " messages");
  std::string answers;
  each_element(json, [&](std::string_view message) {
    std::string text;
    if (answers.size() < longest_batch_answer) {
      text = answer(message);
      look_for_change();  // before the next message makes another, or wants to hear of none
    } else if (const RpcMessage rest = read_rpc_message(message); rest.kind == RpcMessage::Kind::request) {
      text = rpc_error(rest.id, internal_error,
                       "not done: the answers to this batch are too large for one line");
    }
    if (text.empty()) return;
    answers += answers.empty() ? '[' : ',';
    answers += text;
  });
  if (!answers.empty()) send_(answers + ']');
}

std::string McpProtocol::answer(std::string_view json) {
  const RpcMessage message = read_rpc_message(json);
  switch (message.kind) {
    case RpcMessage::Kind::request:
      return answer(message);
    case RpcMessage::Kind::invalid:
      return rpc_error(message.id, invalid_request, "not a request: " + message.fault);
    case RpcMessage::Kind::notification:
    case RpcMessage::Kind::response:
      break;
  }
  return {};
}

std::string McpProtocol::answer(const RpcMessage &request) {
  using Method = std::string (McpProtocol::*)(const RpcMessage &);
  static constexpr std::pair<std::string_view, Method> methods[] = {
      {"ping", &McpProtocol::ping},
      {"initialize", &McpProtocol::initialize},
      {"tools/list", &McpProtocol::list_tools},
      {"tools/call", &McpProtocol::call_tool},
      {"resources/list", &McpProtocol::list_resources},
      {"resources/templates/list", &McpProtocol::list_templates},
      {"resources/read", &McpProtocol::read_resource},
      {"resources/subscribe", &McpProtocol::subscribe},
      {"resources/unsubscribe", &McpProtocol::unsubscribe},
  };
  try {
    const auto method = std::find_if(std::begin(methods), std::end(methods),
                                     [&](const auto &known) { return known.first == request.method; });
    if (method == std::end(methods))
      throw Refusal(method_not_found, "unknown method \"" + request.method + '"');
    const bool at_any_time = request.method == "ping" || request.method == "initialize";
    if (version_.empty() && !at_any_time)
      throw Refusal(invalid_request, "not initialized: send initialize first");
    if (!request.params.empty() && !is_json_object(request.params))
      throw Refusal(invalid_params, "params is not an object");
    return rpc_result(request.id, (this->*method->second)(request));
  } catch (const Refusal &refusal) {
    return refusal.answer(request.id);
  } catch (const std::bad_alloc &) {
    return rpc_error(request.id, internal_error, out_of_memory);
  } catch (const std::exception &error) {
    return rpc_error(request.id, internal_error, text_of(error));
  }
}

std::string McpProtocol::ping(const RpcMessage & /*request*/) { return "{}"; }

std::string McpProtocol::initialize(const RpcMessage &request) {
  const auto wanted = string_value(json_member(request.params, "protocolVersion"));
  const auto known = std::find(versions.begin(), versions.end(), wanted.value_or(""));
  version_ = known == versions.end() ? versions.front() : *known;
  agent_.greet(string_value(json_member(json_member(request.params, "clientInfo"), "name")).value_or(""));
  return "{\"protocolVersion\":\"" + std::string(version_) +
         "\",\"capabilities\":{\"tools\":{},\"resources\":{\"subscribe\":true}},"
         "\"serverInfo\":{\"name\":\"loader-sample\",\"version\":\"" DSH_VERSION "\"}}";
}

std::string McpProtocol::list_tools(const RpcMessage &request) {
  refuse_cursor(request);
  std::string text = "{\"tools\":[";
  for (const ToolInfo &tool : agent_.tools()) {
    if (text.back() != '[') text += ',';
    text += tool_json(tool);
  }
  return text + "]}";
}

std::string McpProtocol::call_tool(const RpcMessage &request) {
  const std::string name = text_parameter(request, "name");
  const std::vector<ToolInfo> tools = agent_.tools();
  if (std::none_of(tools.begin(), tools.end(), [&](const ToolInfo &tool) { return tool.name == name; }))
    throw Refusal(invalid_params, "unknown tool \"" + name + '"');
  const std::string_view arguments = json_member(request.params, "arguments");
  if (!arguments.empty() && !is_json_object(arguments))
    throw Refusal(invalid_params, "\"arguments\" is not an object");
  return tool_result_json(agent_.call(name, arguments.empty() ? "{}" : arguments));
}

std::string McpProtocol::list_resources(const RpcMessage &request) {
  refuse_cursor(request);
  return "{\"resources\":[{\"uri\":\"" + std::string(plan_uri) +
         "\",\"name\":\"plan\",\"title\":\"Plan\",\"description\":\"The standing list of to-dos, as JSON and "
         "as "
         "a checklist.\",\"mimeType\":\"application/json\"}]}";
}

std::string McpProtocol::list_templates(const RpcMessage &request) {
  refuse_cursor(request);
  return "{\"resourceTemplates\":[]}";
}

std::string McpProtocol::read_resource(const RpcMessage &request) {
  require_plan_uri(request);
  const std::string todos = agent_.plan();
  return "{\"contents\":[" + content_json("application/json", "{\"todos\":" + todos + '}') + ',' +
         content_json("text/markdown", plan_markdown(read_plan(parse_json(todos)))) + "]}";
}

std::string McpProtocol::subscribe(const RpcMessage &request) {
  require_plan_uri(request);
  // What has changed until now is no news.
  if (!subscribed_) (void)agent_.plan_changed();
  subscribed_ = true;
  return "{}";
}

std::string McpProtocol::unsubscribe(const RpcMessage &request) {
  require_plan_uri(request);
  subscribed_ = false;
  return "{}";
}

}  // namespace dsh::loader
