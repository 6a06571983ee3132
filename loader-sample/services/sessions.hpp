// Service "sessions": the sessions of the host, and who watches them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "services/descriptors.hpp"
#include "services/session.hpp"
#include "services/session_span.hpp"
#include "services/storage.hpp"

namespace dsh::loader {

class Diagnostics;
class Gate;
class Invariants;
class Projections;

/// An event that a session starts with.
struct SeedEvent {
  NewEvent event;
  std::int64_t seq = -1;   ///< -1: the next
  std::int64_t time = -1;  ///< -1: now
};

/// The sessions. Functions of the first part run inside a change of the gate; those of the second
/// enter it themselves, as calls, on any thread.
class Sessions {
 public:
  /// All that is given outlives it. `storage` keeps durable sessions; null: all are in memory.
  Sessions(Gate &gate, const Diagnostics &diagnostics, Invariants &invariants, Projections &projections,
           SessionStorage *storage);
  ~Sessions();

  /// Calls the observer's `created` for every session.
  void add(const ObserverDescriptor &observer);
  /// Calls the observer's `disposed` for every session.
  void remove(const ObserverDescriptor &observer) noexcept;
  /// In order of creation. A copy.
  std::vector<std::shared_ptr<Session>> all() const;
  /// The same where they stand, for a change, during which none comes or goes.
  SessionSpan standing() const noexcept { return list_; }

  /// A new session; an empty id takes the next of session-1, session-2, …. A seed makes its first
  /// events, closed by `session/end-seed` unless it ends with one; they are folded silently, and not
  /// told to observers. Throws Error: the id is taken (`session "x" already exists`), the seed is not
  /// contiguous, a rule refuses it, the disk does. Then nothing remains and the id is free.
  std::shared_ptr<Session> create(std::string id, std::span<const SeedEvent> seed = {});

  /// Opens a stored session for writing: repaired, and closed by `session/end-seed`. Throws Error as
  /// create() does, and where nothing is stored; then what is stored stays as it was.
  std::shared_ptr<Session> open(const std::string &id);

  /// Throws Error: `unknown session "x"`.
  std::shared_ptr<Session> find(std::string_view id) const;

  /// Ends a session of this process; what is stored stays.
  void dispose(std::string_view id);

 private:
  friend class Session;

  // An id that is taken while its session is being made, and freed again if it never is.
  class Reserved {
   public:
    Reserved(Sessions &sessions, std::string id);
    ~Reserved();
    Reserved(const Reserved &) = delete;
    Reserved &operator=(const Reserved &) = delete;
    const std::string &id() const noexcept { return id_; }

   private:
    Sessions &sessions_;
    std::string id_;
  };

  std::shared_ptr<Session> publish(const Reserved &reserved, std::unique_ptr<EventStore> store,
                                   Traces traces);
  void tell_created(Session &session, const ObserverDescriptor &observer) const noexcept;
  void tell_disposed(Session &session, const ObserverDescriptor &observer) const noexcept;
  void tell(Session &session, const std::function<void()> &call) const noexcept;

  Gate &gate_;
  const Diagnostics &diagnostics_;
  Invariants &invariants_;
  Projections &projections_;
  SessionStorage *const storage_;
  std::vector<const ObserverDescriptor *> observers_;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::shared_ptr<Session>> list_;
  std::unordered_map<std::string, std::shared_ptr<Session>> by_id_;  // null: being created
  std::uint64_t last_number_ = 0;
};

}  // namespace dsh::loader
