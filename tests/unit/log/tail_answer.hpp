// What the end of a log decides, looked for from either side.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "log/log_reader.hpp"
#include "log/log_tail.hpp"
#include "support/temporary_directory.hpp"
#include "text/error.hpp"
#include "unit/log/stored_session.hpp"

namespace dsh::loader {

struct Answer {
  std::string error;
  std::string event;  ///< type, seq and data of the event that decides; empty: none
  std::int64_t events = 0;
  std::int64_t last_time = 0;
  bool operator==(const Answer &) const = default;
};

inline std::ostream &operator<<(std::ostream &out, const Answer &answer) {
  return out << "error \"" << answer.error << "\", event " << answer.event << ", " << answer.events
             << " events, last " << answer.last_time;
}

inline const std::vector<std::string> types = {"todo/write", "turn/start"};

/// Refuses lists that say so, as a fold fails on a malformed one.
inline std::string taken(const Event &event) {
  if (event.data.find("refused") != std::string_view::npos) return "";
  return std::string(event.type) + " " + std::to_string(event.seq) + " " + std::string(event.data);
}

inline Answer from_start(const LogFile &file) {
  Answer answer;
  try {
    LogSource source(file);
    LogReader reader(source.bytes());
    while (reader.next())
      reader.stored().each(0, [&](const Event &event) {
        if (event.type != types[0] && event.type != types[1]) return true;
        if (const std::string text = taken(event); !text.empty()) answer.event = text;
        return true;
      });
    answer.events = reader.events();
    answer.last_time = reader.last_time();
  } catch (const Error &error) {
    return {error.what(), {}, 0, 0};
  }
  return answer;
}

inline Answer from_end(const LogFile &file) {
  Answer answer;
  try {
    const TailResult tail = read_tail(file, types, [&](const Event &event) {
      const std::string text = taken(event);
      if (!text.empty()) answer.event = text;
      return !text.empty();
    });
    EXPECT_EQ(tail.found, !answer.event.empty());
    answer.events = tail.events;
    answer.last_time = tail.last_time;
  } catch (const Error &error) {
    return {error.what(), {}, 0, 0};
  }
  return answer;
}

class LogTailTest : public ::testing::Test {
 protected:
  LogFile log(std::string_view bytes) const {
    return {root_.write("_no-cwd/s/session.jsonl", bytes), 0, false};
  }
  Answer tail(std::string_view bytes) const { return from_end(log(bytes)); }

  TemporaryDirectory root_;
};

inline std::string line(std::int64_t seq, std::string_view type, std::string_view data) {
  std::string text;
  append_event_line(text, {seq, 100 + seq, type, data, {}, {}});
  return text;
}

}  // namespace dsh::loader
