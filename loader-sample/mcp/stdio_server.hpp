// MCP over two descriptors: one conversation, from the first line to the last answer.
#pragma once

#include <cstddef>

#include "mcp/agent.hpp"
#include "mcp/end_signals.hpp"
#include "mcp/protocol.hpp"

namespace dsh::loader {

/// The longest line that is read, in bytes.
constexpr std::size_t longest_mcp_line = 128UL * 1024 * 1024;

/// How a conversation ended.
enum class McpEnd {
  answered,  ///< every request that was accepted has its answer
  gone,      ///< the peer went without having taken all answers
  stuck      ///< the peer took nothing for five seconds after the end of input
};

/// Serves until the end of input or of the peer, or a signal; then answers what was accepted and closes the
/// agent. Reads no further while 64 MiB of answers wait, and sleeps while nothing happens. SIGPIPE has to be
/// ignored. `note` gets remarks about the client. Throws Error where the agent could not be closed,
/// and after closing it where input or output fail otherwise.
McpEnd serve_mcp(int input, int output, Agent &agent, const EndSignals &signals,
                 const McpProtocol::Note &note);

}  // namespace dsh::loader
