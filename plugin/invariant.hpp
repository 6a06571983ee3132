// The rule for todo/write events in a log, as the service "invariants" takes it.
#pragma once

#include <array>
#include <cstdint>
#include <dsh/plugin.hpp>
#include <string_view>

#include "event_types.hpp"

namespace dsh::todo {

/// A list in the log is sound, and stands in an open turn. How many items are in progress is no matter of
/// the log's: that is each deployment's policy, and a log written under one replays under the other.
class TodoInvariant {
 public:
  /// What is kept of a session: is a turn open? Turns do not count: one end closes any number of starts.
  struct Trace {
    std::uint8_t turn_open;
  };

  static constexpr std::string_view owner = "@deepseek-ai/dsh-tool-todo";
  static constexpr std::array<dsh_str, 3> types = {named(todo_write), named(turn_start), named(turn_end)};

  void check(const Trace &trace, const Event &event) const;
  void committed(Trace &trace, const Event &event) const noexcept;
};

}  // namespace dsh::todo
