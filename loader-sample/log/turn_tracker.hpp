// Closing a turn that a crash left open, so that a session can go on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "log/turn_numbers.hpp"
#include "services/event.hpp"

namespace dsh::loader {

/// Follows the turns, steps and calls of a log from its first event.
class TurnTracker {
 public:
  void follow(const Event &event);

  /// What closes the turn that is open at the end, in order: a failed `tool/result` for every call of it
  /// without one, whether its step was ended or not, `step/end`, `turn/end` with reason `interrupted`, all
  /// with the time of the last event. Nothing where no turn is open.
  std::vector<OwnedEvent> closers() const;

  /// Of the last event; empty before the first.
  const std::string &last_type() const { return last_type_; }

 private:
  struct Call {
    std::string id;  ///< WTF-8: it may be spelt in several ways
    std::int64_t step;
    std::optional<std::int64_t> seq;  ///< of its `tool/call`, once it was started
  };
  Call &pending(std::string id);
  void follow_message(std::string_view data);
  void answer(std::string_view data);

  std::int64_t next_seq_ = 0;
  std::int64_t last_time_ = 0;
  std::string last_type_;
  bool open_ = false;
  LastTurn turn_;
  std::optional<std::int64_t> step_;  ///< none: not open
  std::vector<Call> calls_;           ///< of the open turn, without a result
};

}  // namespace dsh::loader
