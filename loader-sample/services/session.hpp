// One session: an append-only log of events, and the order in which an append is checked, committed
// and told.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "dsh/dsh.h"
#include "services/event_store.hpp"
#include "services/invariants.hpp"
#include "services/projections.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {

class Sessions;

/// An event to append.
struct NewEvent {
  std::string_view type;               ///< WTF-8
  std::string_view data;               ///< JSON
  std::string_view source_event_seqs;  ///< JSON array of earlier seqs; empty: none
  std::string_view surface_op;         ///< JSON value (`"append"`); empty: none
};

/// Checks the data of an event: JSON, lossless. Throws Error. `only_value`: see check_json.
JsonCheck check_data(const NewEvent &event, std::string_view &only_value);

/// A part of an event without white space between its values, which then lies in `room`. `json` is JSON, or
/// empty: the event has no such part.
std::string_view compact_part(std::string_view json, std::string &room);

/// A session of the host. Any thread: each function waits until the session is free, and may be
/// called again from inside, on the same thread.
class Session {
 public:
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  const std::string &id() const noexcept { return id_; }

  /// The number of events.
  std::int64_t size();

  /// Appends one event and returns its seq. Checks, in order: lossless JSON, no reentry, the surface
  /// rules, the invariants; then commits, then tells the projections and the observers. Throws Error;
  /// then nothing was appended. Where `sync` was not `deferred` and the disk refused, deferred events before
  /// it are gone too, and memory is as the disk.
  std::int64_t append(const NewEvent &event, Sync sync = Sync::now);

  /// Calls each(event) from seq `from` on until it returns false. The views live during the call.
  void read(std::int64_t from, const std::function<bool(const Event &)> &each);

  /// The whole log as envelopes, those of `type` alone where it isn't empty: a JSON array.
  std::string events_json(std::string_view type = {});

  /// Have others taken its log away, or changed it? Then nothing more can be appended.
  bool is_lost();

  /// Keeps the session for this thread while it lives: what happens in between comes from nowhere else.
  /// Throws Error where the session was disposed.
  class Hold {
   public:
    explicit Hold(Session &session);
    ~Hold();
    Hold(const Hold &) = delete;
    Hold &operator=(const Hold &) = delete;

   private:
    Session &session_;
  };

  // For the services.

  /// What a call in this session has written of its value so far, for as long as it runs. A value often
  /// begins as the event that the call appends: what was checked there need not be checked again.
  class CallValue {
   public:
    /// `text` changes only by growing; `session` may be null.
    CallValue(Session *session, const std::string &text);
    ~CallValue();
    CallValue(const CallValue &) = delete;
    CallValue &operator=(const CallValue &) = delete;

    /// So many bytes of it are a compact JSON object of some member, but for its closing brace; 0: not known.
    std::size_t known() const noexcept { return known_; }

   private:
    friend class Session;
    void learn(std::string_view object) noexcept;

    Session *const session_;
    const std::string &text_;
    CallValue *outer_ = nullptr;
    std::size_t known_ = 0;
  };

  /// What a plugin gets. Usable inside a call made for this session.
  const dsh_session *handle() const noexcept { return &handle_; }

 private:
  friend class Sessions;
  friend class Invariants;
  friend class Projections;

  Session(Sessions &sessions, std::string id, std::unique_ptr<EventStore> store, Traces traces);

  // Sets a flag for as long as this lives.
  class Flag {
   public:
    explicit Flag(bool &flag) noexcept : flag_(flag), before_(std::exchange(flag, true)) {}
    ~Flag() { flag_ = before_; }
    Flag(const Flag &) = delete;
    Flag &operator=(const Flag &) = delete;

   private:
    bool &flag_;
    const bool before_;
  };

  bool held_here() const noexcept;
  std::int64_t commit(const Event &event, Sync sync);
  void tell(const Event &event) noexcept;
  void forget_deferred() noexcept;
  static Session &of(const dsh_session *handle);
  static std::int32_t DSH_CALL abi_append(const dsh_session *session, const dsh_str *type, const char *data,
                                          std::size_t size, std::int64_t *seq,
                                          const dsh_error *error) noexcept;
  static std::int32_t DSH_CALL abi_read(const dsh_session *session, std::int64_t from_seq,
                                        std::int32_t(DSH_CALL *each)(void *user, const dsh_event *event),
                                        void *user, const dsh_error *error) noexcept;

  Sessions &sessions_;
  const std::string id_;
  dsh_session handle_;
  std::recursive_mutex mutex_;           // held by Hold
  std::atomic<std::thread::id> holder_;  // who holds it
  int holds_ = 0;
  bool publishing_ = false;  // an append is being checked, committed or told, or an observer is called
  bool reading_ = false;
  bool disposed_ = false;
  CallValue *call_value_ = nullptr;  // of the innermost call
  std::unique_ptr<EventStore> store_;
  Traces traces_;
  std::vector<Fold> folds_;
};

}  // namespace dsh::loader
