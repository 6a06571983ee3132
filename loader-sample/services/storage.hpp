// Where durable sessions come from. The services know no file: whoever puts a host together gives them a
// storage that does.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "services/event_store.hpp"
#include "text/error.hpp"

namespace dsh::loader {

/// What is thrown where a session's id is taken.
inline Error session_exists(std::string_view id) {
  return Error("session \"" + std::string(id) + "\" already exists");
}

/// A place that keeps sessions beyond the process. Any thread; calls for one id never overlap.
class SessionStorage {
 public:
  virtual ~SessionStorage() = default;

  /// Is there a stored session `id`? Throws Error for an id that can't be stored.
  virtual bool exists(std::string_view id) const = 0;

  /// A store for a new session, which is locked for this process; nothing need be on disk before the
  /// first event that is. `seed_length` is the number of events it will be seeded with. Throws Error:
  /// `session "x" already exists` (or whose it is), or why it can't be written.
  virtual std::unique_ptr<EventStore> create(std::string_view id, std::int64_t seed_length) = 0;

  /// Sees the events that an opened store holds, repairs included, before they are written; an Error
  /// from it leaves what is stored as it was.
  using Admit = std::function<void(const EventStore &)>;

  /// A stored session, locked for writing, repaired, and closed by `session/end-seed`. Throws Error: not
  /// there, damaged, of a version that isn't written, held by another process (named), or as `admit` does.
  virtual std::unique_ptr<EventStore> open(std::string_view id, const Admit &admit) = 0;
};

}  // namespace dsh::loader
