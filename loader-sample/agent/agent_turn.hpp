// A turn of an agent whose model is somebody else: who calls over the command line or MCP. Writes the
// events around each call, so that the log reads as any agent's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/session.hpp"
#include "services/tools.hpp"

namespace dsh::loader {

/// Who made the calls, for `assistant/message`'s source.
struct CallerName {
  std::string provider;
  std::string model;
};

/// One turn of a session, a step a call. Nothing is logged before the first call. The session and the
/// tools outlive it. One thread at a time, and nobody else appends to the session meanwhile.
class AgentTurn {
 public:
  AgentTurn(const Tools &tools, Session &session, CallerName caller);

  /// Begins the turn: `turn/start`, which a first call else brings to disk with what it appends. On disk
  /// when it returns. Throws Error where that fails; then the log is as before.
  void begin() { begin_turn(Sync::now); }

  /// What follows the call: more of this turn, or its end. An end costs no further sync.
  enum class Then { go_on, close };

  /// Calls a tool in a step of its own: `step/start`, `assistant/message`, `tool/call`, what the tool
  /// appends, `tool/result`, `step/end`, before the first step `turn/start`. All that is on disk when it
  /// returns, with a first sync for what the tool appends.
  ///
  /// Where the disk refuses what the tool appends, the result is the tool's error and the log is as
  /// before the call. Where it refuses what follows, the call counts and has its result: debt() says why
  /// the log lacks the rest, which is written before the next call, or by close(). Throws Error where that
  /// fails, or the tool appended nothing, or makes a success of it: then the log is as before the call.
  /// Throws std::bad_alloc where memory runs out, and UnfitEvent where no log holds the call: what the log
  /// lacks of its step then comes as those debts do.
  ToolResult call(std::string_view name, std::string_view arguments, Then then = Then::go_on);

  /// Is the last call in the log? Not where the disk refused what the tool appended.
  bool is_logged() const noexcept { return logged_; }

  /// `turn/end`, where a turn is open: in the log, and on disk soon. Where the power goes before, whoever
  /// writes the log next ends the turn. Throws Error as call() does; may be tried again.
  void close();

  /// Why the log lacks the end of the last call; empty where it lacks nothing.
  const std::string &debt() const noexcept { return debt_; }

  /// Does it lack the call's result too? Not only what ends the step and the turn.
  bool owes_result() const noexcept;

 private:
  struct Owed {
    std::string_view type;
    std::string data;
    std::string source_event_seqs;
    std::string surface_op;
    std::string call_id = {};  // of a result
  };

  /// A step whose end is not owed yet.
  struct Step {
    std::int64_t seq;
    std::int64_t call_seq;  // −1: the call is not in the log
    std::string call_id;
  };

  void begin_turn(Sync sync);
  void begin_step(std::string_view name, std::string_view arguments);
  void settle();
  void forget_step(bool turn_was_open);
  void owe_step_end(const ToolResult &result);
  void owe_turn_end();
  Sync sync_of(const Owed &owed) const;
  void pay();  // appends what is owed
  void append(Owed &owed, Sync sync);
  std::string result_data(const std::string &call_id, const ToolResult &result) const;
  std::string place() const;

  const Tools &tools_;
  Session &session_;
  CallerName caller_;
  bool open_ = false;
  bool logged_ = false;
  std::int64_t turn_ = 0;
  std::int64_t turn_seq_ = -1;
  std::int64_t step_ = 0;
  std::optional<Step> under_way_;
  std::vector<Owed> owed_;  // events that the log lacks, in order
  std::string debt_;
};

}  // namespace dsh::loader
