// MCP over two descriptors: one conversation, from the first line to the last answer.
#pragma once

#include <cstddef>

#include "mcp/agent.hpp"
#include "mcp/end_signals.hpp"
#include "mcp/protocol.hpp"

namespace dsh::loader {

/// The longest line that is read, in bytes.
constexpr std::size_t longest_mcp_line = 128UL * 1024 * 1024;
/// While so many bytes of answers wait to be taken, nothing is read.
constexpr std::size_t most_mcp_answers = 64UL * 1024 * 1024;

/// How a conversation ended.
enum class McpEnd {
  answered,  ///< every request that was accepted has its answer, after a signal every one that was at work
  gone,      ///< the peer went without having taken all answers, or without having been given them
  stuck      ///< the peer took nothing for mcp_patience after the end of input
};

/// Answers each line before it looks at the next. Serves until the end of input; then answers what was
/// accepted and closes the agent. After a signal only the line at hand is answered, and once nobody is there
/// to take an answer no further line is carried out. Reads no further while most_mcp_answers wait, and sleeps
/// while nothing happens. SIGPIPE has to be ignored. `note` gets remarks about the client. Throws Error where
/// the agent could not be closed, and after closing it where input or output fail otherwise.
McpEnd serve_mcp(int input, int output, Agent &agent, const EndSignals &signals,
                 const McpProtocol::Note &note);

}  // namespace dsh::loader
