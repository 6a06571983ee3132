// One event of a session.
#pragma once

#include <cstdint>
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

}  // namespace dsh::loader
