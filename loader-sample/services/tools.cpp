#include "services/tools.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "services/abi_call.hpp"
#include "services/gate.hpp"
#include "services/session.hpp"
#include "text/error.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace {

std::string quoted(std::string_view name) { return "tool \"" + std::string(name) + "\""; }

void check_written_text(const std::string &text, std::string_view tool) {
  if (!is_wtf8(text)) throw Error(quoted(tool) + " gave a text that is not UTF-8");
}

}  // namespace

ToolResult failed_call(const Error &error) {
  ToolResult result;
  result.is_error = true;
  result.message = error.text();
  result.text = "Error: " + result.message;
  result.error_name = error.name();
  result.error_code = error.code();
  return result;
}

Tools::Tools(Gate &gate, const Diagnostics &diagnostics) : gate_(gate), listeners_(diagnostics) {}

void Tools::add(const ToolDescriptor &tool) {
  if (find(tool.name()) != nullptr) throw Error(quoted(tool.name()) + " is already registered");
  tools_.push_back(&tool);
  listeners_.tell("tools");
}

void Tools::remove(const ToolDescriptor &tool) noexcept {
  if (std::erase(tools_, &tool) != 0) listeners_.tell("tools");
}

const ToolDescriptor *Tools::find(std::string_view name) const noexcept {
  const auto found = std::find_if(tools_.begin(), tools_.end(),
                                  [&](const ToolDescriptor *tool) { return tool->name() == name; });
  return found == tools_.end() ? nullptr : *found;
}

const dsh_tool &Tools::abi_of(std::string_view name) const {
  const ToolDescriptor *const tool = find(name);
  if (tool == nullptr) throw Error("unknown " + quoted(name));
  return tool->abi();
}

std::vector<ToolInfo> Tools::list() const {
  const Gate::Call running(gate_);
  std::vector<ToolInfo> catalogue;
  catalogue.reserve(tools_.size());
  for (const ToolDescriptor *const tool : tools_)
    catalogue.push_back({tool->name(), tool->description(), tool->parameters(), tool->output()});
  return catalogue;
}

ToolResult Tools::call(std::string_view name, std::string_view arguments, Session *session,
                       std::string_view call_id) const {
  const Gate::Call running(gate_);
  try {
    const dsh_tool &abi = abi_of(name);
    std::optional<Session::Hold> hold;
    if (session != nullptr) hold.emplace(*session);
    const dsh_call call{sizeof(dsh_call), 0, to_abi(arguments), to_abi(call_id),
                        session == nullptr ? nullptr : session->handle()};
    ToolResult result;
    const Session::CallValue written(session, result.value);
    Sink value(result.value);
    Sink text(result.text);
    ErrorSink error;
    const std::int32_t status = guarded_write(
        [&] { return abi.execute(abi.user, &call, value.abi(), text.abi(), error.abi()); }, value, text);
    if (status != DSH_OK) throw error.error(quoted(name), status);
    if (!result.value.empty()) check_written_json(result.value, "tool", name, "value", written.known());
    check_written_text(result.text, name);
    return result;
  } catch (const Error &error) {
    return failed_call(error);
  } catch (const std::exception &error) {
    return failed_call(Error(quoted(name) + " could not be called: " + error.what()));
  }
}

std::optional<std::string> Tools::present(std::string_view name, std::string_view arguments) const {
  const Gate::Call running(gate_);
  const dsh_tool &abi = abi_of(name);
  if (abi.present == nullptr) return std::nullopt;
  const dsh_str given = to_abi(arguments);
  std::string card;
  Sink sink(card);
  ErrorSink error;
  const std::int32_t status =
      guarded_write([&] { return abi.present(abi.user, &given, sink.abi(), error.abi()); }, sink);
  if (status == DSH_NONE) return std::nullopt;
  if (status != DSH_OK) throw error.error(quoted(name), status);
  check_written_json(card, "tool", name, "card");
  if (card.front() != '{') throw Error(quoted(name) + " gave a card that is no JSON object");
  return card;
}

Subscription Tools::subscribe(std::function<void()> listener) { return listeners_.add(std::move(listener)); }

}  // namespace dsh::loader
