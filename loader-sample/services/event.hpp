// One event of a session, and the place where a session keeps them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace dsh::loader {

/// An event as text. The views live as long as whoever hands the event out says.
struct Event {
  std::int64_t seq = 0;                ///< position in the log, from 0
  std::int64_t time = 0;               ///< milliseconds since the epoch
  std::string_view type;               ///< WTF-8
  std::string_view data;               ///< JSON, as written but for white space between its values
  std::string_view source_event_seqs;  ///< JSON array, empty: none
  std::string_view surface_op;         ///< JSON value ("append" with its quotes), empty: none
  std::string_view only_value = {};    ///< where `data` is known to be `{"key":value}`: the value; else empty
  bool compact = false;                ///< `data` is known to be JSON without white space between its values
};

/// An event that owns its texts.
struct OwnedEvent {
  std::int64_t seq = 0;
  std::int64_t time = 0;
  std::string type;
  std::string data;
  std::string source_event_seqs;
  std::string surface_op;

  Event view() const { return {seq, time, type, data, source_event_seqs, surface_op}; }
};

/// When an appended event has to be on disk.
enum class Sync {
  now,      ///< before `append` returns, together with every deferred event before it
  written,  ///< with the next `now`; other processes see it, and every event before it, when `append` returns
  deferred  ///< with the next `now`; until then nobody sees it
};

/// Where a session keeps its events: in memory, or in a durable log. One thread at a time.
class EventStore {
 public:
  virtual ~EventStore() = default;

  /// The number of events kept, deferred ones included: the seq of the next.
  virtual std::int64_t size() const = 0;

  /// Keeps a copy of `event`, whose seq is size(). Throws Error when it can't: then the store, and
  /// what is on disk, are as before.
  virtual void append(const Event &event, Sync sync) = 0;

  /// Calls each(event) from seq `from` on, in order, until it returns false. The views live during
  /// the call.
  virtual void read(std::int64_t from, const std::function<bool(const Event &)> &each) const = 0;

  /// Forgets the deferred events that are not on disk; returns the new size.
  virtual std::int64_t drop_deferred() = 0;
};

}  // namespace dsh::loader
