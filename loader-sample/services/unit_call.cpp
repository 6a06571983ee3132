#include "services/unit_call.hpp"

#include <exception>
#include <new>

#include "services/abi_call.hpp"
#include "text/diagnostics.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

// What a unit wrote, on one line; empty: undefined. Throws Error for what isn't JSON.
void check_written(std::string &json, const UnitDescriptor &unit, std::string_view what) {
  if (!json.empty()) check_written_json(json, "projection", unit.key(), what);
}

/// A failure that says nothing of the event or the state at hand: with memory, the call may succeed.
void require_memory(std::int32_t status) {
  if (status == DSH_NO_MEMORY) throw std::bad_alloc();
}

/// What one of the unit's functions makes of a state, called as call(sink, error). Throws Error with the
/// unit's text, std::bad_alloc where it ran out of memory.
template <typename Call>
std::string written(const UnitDescriptor &unit, std::string_view what, const std::string &state,
                    Call &&call) {
  std::string text;
  Sink sink(text, state.size());
  ErrorSink error;
  const std::int32_t status = guarded_write([&] { return call(sink.abi(), error.abi()); }, sink);
  require_memory(status);
  if (status != DSH_OK) throw error.error(projection_name(unit.key()), status);
  check_written(text, unit, what);
  return text;
}

}  // namespace

std::string projection_name(std::string_view key) { return "projection \"" + std::string(key) + "\""; }

std::string view_of(const UnitDescriptor &unit, const std::string &state) {
  const dsh_unit &abi = unit.abi();
  const dsh_str given = to_abi(state);
  return written(unit, "view", state, [&](const dsh_out *view, const dsh_error *error) {
    return abi.view(abi.user, &given, view, error);
  });
}

std::string admit(const UnitDescriptor &unit, const std::string &stored) {
  const dsh_unit &abi = unit.abi();
  if (abi.restore == nullptr) {
    if (unit.has_view()) view_of(unit, stored);
    return stored;
  }
  if (stored.empty())
    throw Error(projection_name(unit.key()) + " cannot be restored: its checkpoint row has no value");
  const dsh_str given = to_abi(stored);
  return written(unit, "restored state", stored, [&](const dsh_out *state, const dsh_error *error) {
    return abi.restore(abi.user, &given, state, error);
  });
}

FoldStep fold_event(const UnitDescriptor &unit, Fold &fold, const Event &event,
                    const Diagnostics &diagnostics) {
  fold.next = event.seq + 1;
  if (!unit.takes(event.type)) return FoldStep::same;
  const dsh_unit &abi = unit.abi();
  const dsh_str state = to_abi(fold.state);
  const dsh_event given = to_abi(event);
  fold.room.clear();
  Sink sink(fold.room, event.data.size());
  ErrorSink error;
  const std::int32_t status =
      guarded_write([&] { return abi.apply(abi.user, &state, &given, sink.abi(), error.abi()); }, sink);
  try {
    require_memory(status);
    if (status == DSH_NONE) return FoldStep::same;
    if (status != DSH_OK) throw error.error(projection_name(unit.key()), status);
    if (fold.room != event.only_value)  // that is JSON
      check_written(fold.room, unit, "state");
    fold.state.swap(fold.room);
    fold.room.clear();
    return FoldStep::changed;
  } catch (const std::bad_alloc &) {
    fold.next = event.seq;
    fold.room = {};
    throw;
  } catch (const std::exception &failure) {
    diagnostics.write(Level::warn, unit.key(),
                      "event " + std::to_string(event.seq) + " (" + std::string(event.type) + ")" +
                          (fold.log.empty() ? "" : " of " + json_string(fold.log)) +
                          " left the state as it was: " + text_of(failure));
    return FoldStep::failed;
  }
}

}  // namespace dsh::loader
