// A session in a root of the test's own, and the lines of its log.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "durability/log_checks.hpp"
#include "log/durable_storage.hpp"
#include "log/log_line.hpp"
#include "support/temporary_directory.hpp"

namespace dsh::loader {

inline std::vector<std::string> lines_of(const EventStore &store, std::int64_t from = 0) {
  std::vector<std::string> lines;
  store.read(from, [&lines](const Event &event) {
    std::string line;
    append_event_line(line, event);
    line.pop_back();
    lines.push_back(line);
    return true;
  });
  return lines;
}

inline std::vector<std::string> types_of(const EventStore &store) {
  std::vector<std::string> types;
  store.read(0, [&types](const Event &event) {
    types.emplace_back(event.type);
    return true;
  });
  return types;
}

inline Event event(std::int64_t seq, std::string_view type, std::string_view data = "{}") {
  return {seq, 1000 + seq, type, data, {}, {}};
}

class StoredSessionTest : public ::testing::Test {
 protected:
  TemporaryDirectory root_;
  DurableStorage storage_{root_.path()};
  std::string log_ = root_.path() + "/_no-cwd/s/session.jsonl";

  std::string log() const { return root_.read("_no-cwd/s/session.jsonl"); }
  void write_log(std::string_view bytes) const { root_.write("_no-cwd/s/session.jsonl", bytes); }
};

inline constexpr const char *header =
    R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
    "\n";
inline constexpr const char *turn_start = R"({"type":"turn/start","seq":0,"time":10,"data":{"turn":1}})"
                                          "\n";
inline constexpr const char *todo_write = R"({"type":"todo/write","seq":1,"time":11,"data":{"todos":[]}})"
                                          "\n";
inline constexpr const char *turn_end =
    R"({"type":"turn/end","seq":2,"time":12,"data":{"turn":1,"reason":{"kind":"completed"}}})"
    "\n";

}  // namespace dsh::loader
