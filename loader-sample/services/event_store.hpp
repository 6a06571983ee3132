// Where a session keeps its events.
#pragma once

#include <cstdint>
#include <functional>

#include "services/event.hpp"
#include "text/error.hpp"

namespace dsh::loader {

/// When an appended event has to be on disk.
enum class Sync {
  now,      ///< before `append` returns, together with every deferred event before it
  written,  ///< with the next `now`; other processes see it, and every event before it, when `append` returns
  deferred  ///< with the next `now`; until then nobody sees it
};

/// What is thrown for an event that a store never takes, whatever its disk is like.
class UnfitEvent : public Error {
 public:
  using Error::Error;
};

/// Where a session keeps its events: in memory, or in a durable log. One thread at a time.
class EventStore {
 public:
  virtual ~EventStore() = default;

  /// The number of events kept, deferred ones included: the seq of the next.
  virtual std::int64_t size() const = 0;

  /// Keeps a copy of `event`, whose seq is size(). Throws Error when it can't, UnfitEvent where it never
  /// will: then the store, and what is on disk, are as before.
  virtual void append(const Event &event, Sync sync) = 0;

  /// Calls each(event) from seq `from` on, in order, until it returns false. The views live during
  /// the call.
  virtual void read(std::int64_t from, const std::function<bool(const Event &)> &each) const = 0;

  /// Forgets the deferred events that are not on disk; returns the new size.
  virtual std::int64_t drop_deferred() = 0;

  /// Have others taken away what is kept, put something else in its place, or cut or extended it? Then
  /// nothing more can be appended.
  virtual bool is_lost() const { return false; }
};

}  // namespace dsh::loader
