// JSON-RPC 2.0 messages: reading what a peer sent, writing what it gets. Pure functions over texts; values
// are passed on as they stand in the text, ids of any precision included.
#pragma once

#include <string>
#include <string_view>

namespace dsh::loader {

/// The codes of errors that a message can have.
enum RpcCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  resource_not_found = -32002,
};

/// One message. The views point into the text it was read from.
struct RpcMessage {
  enum class Kind {
    request,
    notification,
    response,  ///< to a request of ours; we make none
    invalid
  };
  Kind kind = Kind::invalid;
  std::string_view id =
      "null";  ///< JSON: a text or a number; null where there is none that could be answered
  std::string method;
  std::string_view params;  ///< JSON; empty: none
  std::string fault;        ///< of an invalid one
};

/// Reads a valid JSON text as one message.
RpcMessage read_rpc_message(std::string_view json);

std::string rpc_result(std::string_view id, std::string_view result);
/// `data`: JSON, empty: none.
std::string rpc_error(std::string_view id, int code, std::string_view message, std::string_view data = {});
std::string rpc_notification(std::string_view method, std::string_view params);

}  // namespace dsh::loader
