// The `todos` projection: the standing plan, as the service "sessionProjections" takes it.
#pragma once

#include <array>
#include <dsh/plugin.hpp>
#include <string_view>

#include "event_types.hpp"

namespace dsh::todo {

/// The standing plan is the list of the last todo/write that no later turn/start follows, else null.
/// State: the list as the log holds it, whatever that is; empty where the event had none. View: content
/// and status of each item, or null; it fails for a state that is neither, until the next event sets it.
class TodoProjection {
 public:
  static constexpr std::string_view key = "todos";
  static constexpr uint32_t state_version = 2;
  /// After either event the state is that event's: what stood before no longer matters.
  static constexpr uint32_t flags = DSH_DECISIVE;
  static constexpr std::array<dsh_str, 2> types = {named(todo_write), named(turn_start)};
  static constexpr std::string_view init = "null";

  bool apply(std::string_view state, const Event &event, Out next) const;
  void view(std::string_view state, Out view) const;
  /// A checkpoint's state, if it has a view. Unlike a folded one it loses what the view leaves out.
  void restore(std::string_view stored, Out state) const;
};

}  // namespace dsh::todo
