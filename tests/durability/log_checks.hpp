// What the durability tests ask of a log.
#pragma once

#include <string>
#include <vector>

#include "log/byte_source.hpp"
#include "log/durable_storage.hpp"
#include "log/log_line.hpp"
#include "log/log_reader.hpp"
#include "services/event_store.hpp"
#include "support/error_of.hpp"
#include "text/error.hpp"

namespace dsh::loader {

inline std::string event_text(const Event &event) {
  std::string text;
  append_event_line(text, event);
  return text;
}

inline std::vector<std::string> events_of(const EventStore &store) {
  std::vector<std::string> events;
  store.read(0, [&events](const Event &event) {
    events.push_back(event_text(event));
    return true;
  });
  return events;
}

/// What a reader makes of a log. Throws Error.
inline std::vector<std::string> read_events(FileOps &ops, const LogFile &file) {
  std::vector<std::string> events;
  LogSource source(file, ops);
  LogReader reader(source.bytes());
  while (reader.next())
    reader.stored().each(0, [&events](const Event &event) {
      events.push_back(event_text(event));
      return true;
    });
  return events;
}

inline bool starts_with(const std::vector<std::string> &events, const std::vector<std::string> &start) {
  return events.size() >= start.size() && std::equal(start.begin(), start.end(), events.begin());
}

}  // namespace dsh::loader
