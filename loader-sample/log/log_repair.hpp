// Closing a turn that a crash left open, so that a session can go on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "services/event.hpp"

namespace dsh::loader {

/// Follows the turns, steps and calls of a log from its first event.
class TurnTracker {
 public:
  void follow(const Event &event);

  /// What closes the turn that is open at the end, in order: a failed `tool/result` for every call
  /// without one, `step/end`, `turn/end` with reason `interrupted`, all with the time of the last event.
  /// Nothing where no turn is open.
  std::vector<OwnedEvent> closers() const;

  /// The type and time of the last event; empty before the first.
  const std::string &last_type() const { return last_type_; }
  std::int64_t last_time() const { return last_time_; }

 private:
  struct Call {
    std::string id;                   ///< JSON, with its quotes
    std::string step;                 ///< JSON
    std::optional<std::int64_t> seq;  ///< of its `tool/call`, once it was started
  };
  Call &pending(std::string_view id);
  void follow_message(std::string_view data);
  void answer(std::string_view data);

  std::int64_t turns_ = 0;
  std::int64_t next_seq_ = 0;
  std::int64_t last_time_ = 0;
  std::string last_type_;
  // JSON texts, as the log has them; none: not open.
  std::optional<std::string> turn_;
  std::optional<std::string> step_;
  std::vector<Call> calls_;
};

}  // namespace dsh::loader
