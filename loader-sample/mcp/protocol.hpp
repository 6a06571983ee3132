// The Model Context Protocol as a server speaks it: a line in, lines out. No I/O of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "mcp/agent.hpp"
#include "mcp/json_rpc.hpp"

namespace dsh::loader {

/// One conversation. Stateless but for the version agreed on and the subscription. One thread.
///
/// Requests are answered in the order they came, each before the next is looked at: a cancellation always
/// comes too late, and two requests of one id are two requests.
class McpProtocol {
 public:
  /// Takes one line, without its LF.
  using Send = std::function<void(std::string line)>;
  /// Takes a remark for the person who set the client up.
  using Note = std::function<void(std::string_view text)>;

  /// The references outlive it.
  McpProtocol(Agent &agent, Send send, Note note);

  /// Answers a line, if it wants an answer, and tells a subscriber what it changed. Where memory runs out,
  /// that is the answer; throws std::bad_alloc where there is none even for that.
  void handle(std::string_view line);

  /// Answers a line too long to be kept.
  void refuse_long_line(std::size_t longest);
  /// Answers a line for which there was no memory.
  void refuse_lost_line();

  /// Would handle() answer the line?
  static bool wants_answer(std::string_view line);

  /// Tells a subscriber of each change since he was last told, by whomever.
  void tell_changes();

  bool has_subscriber() const { return subscribed_; }

 private:
  void handle_json(std::string_view json);
  void handle_batch(std::string_view json);
  /// The answer; empty: none.
  std::string answer(std::string_view json);
  std::string answer(const RpcMessage &request);

  void look_for_change();

  std::string ping(const RpcMessage &request);
  std::string initialize(const RpcMessage &request);
  std::string list_tools(const RpcMessage &request);
  std::string call_tool(const RpcMessage &request);
  std::string list_resources(const RpcMessage &request);
  std::string list_templates(const RpcMessage &request);
  std::string read_resource(const RpcMessage &request);
  std::string subscribe(const RpcMessage &request);
  std::string unsubscribe(const RpcMessage &request);

  Agent &agent_;
  Send send_;
  Note note_;
  std::string_view version_;  // agreed on; empty: not initialized
  bool subscribed_ = false;
  std::size_t untold_ = 0;  // changes that a subscriber has yet to be told
  bool noted_headers_ = false;
};

}  // namespace dsh::loader
