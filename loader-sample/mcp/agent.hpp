// What an MCP server serves: tools, and one plan. The server knows no session and no plugin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/tools.hpp"

namespace dsh::loader {

/// One thread.
class Agent {
 public:
  virtual ~Agent() = default;

  /// The catalogue as it is now.
  virtual std::vector<ToolInfo> tools() = 0;

  /// Calls a tool on the text of its arguments. What goes wrong is a result.
  virtual ToolResult call(std::string_view name, std::string_view arguments) = 0;

  /// The standing plan as JSON: a list or null. Throws Error where it can't be read.
  virtual std::string plan() = 0;

  /// Has the plan changed, by a call or by somebody else, since this function was last called?
  virtual bool plan_changed() = 0;

  /// When to ask plan_changed() although nobody has called anything: once the descriptor is readable (−1:
  /// none is to be had), or so many milliseconds are over (−1: they never are).
  struct Watch {
    int descriptor = -1;
    int timeout = -1;
  };
  virtual Watch watch() const { return {}; }

  /// Who calls, as the client names itself.
  virtual void greet(const std::string &client) = 0;

  /// Ends what the calls began. Nothing is called afterwards. Throws Error where that can't be kept.
  virtual void close() = 0;
};

}  // namespace dsh::loader
