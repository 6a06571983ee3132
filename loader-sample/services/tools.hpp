// Service "tools": what a model can call.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/descriptors.hpp"
#include "services/listeners.hpp"
#include "text/error.hpp"

namespace dsh::loader {

class Diagnostics;
class Gate;
class Session;

/// One row of the catalogue.
struct ToolInfo {
  std::string name;
  std::string description;
  std::string parameters;  ///< JSON Schema
  std::string output;      ///< JSON Schema; empty: none
};

/// What a call came to.
struct ToolResult {
  bool is_error = false;
  std::string text;        ///< what the model sees; of a failure: `Error: ` and the message (WTF-8)
  std::string message;     ///< of a failure
  std::string value;       ///< of a success: JSON; empty: none
  std::string error_name;  ///< of a failure, where the tool classed it; else empty
  std::string error_code;
};

/// The result of a call that failed with `error`.
ToolResult failed_call(const Error &error);

/// The tools, in order of registration. `add` and `remove` run inside a change of the gate; the
/// others enter it themselves, as calls, on any thread.
class Tools {
 public:
  /// Both outlive it.
  Tools(Gate &gate, const Diagnostics &diagnostics);

  /// Throws Error: `tool "x" is already registered`.
  void add(const ToolDescriptor &tool);
  void remove(const ToolDescriptor &tool) noexcept;

  std::vector<ToolInfo> list() const;

  /// Runs a tool on the raw argument text; `session` is the owning agent's, or null. Waits while the
  /// session is in another call. What goes wrong is a result, not an exception; an unknown tool too
  /// (`unknown tool "x"`).
  ToolResult call(std::string_view name, std::string_view arguments, Session *session,
                  std::string_view call_id = {}) const;

  /// How a UI shows a call: a JSON object, none where the tool gives none. Throws Error for an unknown
  /// tool, and with the tool's text.
  std::optional<std::string> present(std::string_view name, std::string_view arguments) const;

  /// Has `listener` called after each registration that came or went, inside the change; what it throws is
  /// logged.
  [[nodiscard]] Subscription subscribe(std::function<void()> listener);

 private:
  const ToolDescriptor *find(std::string_view name) const noexcept;
  /// Throws Error for an unknown tool.
  const dsh_tool &abi_of(std::string_view name) const;

  Gate &gate_;
  std::vector<const ToolDescriptor *> tools_;
  Listeners<> listeners_;
};

}  // namespace dsh::loader
