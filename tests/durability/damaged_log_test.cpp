// A log cut at every byte, and with every byte flipped.

#include <gtest/gtest.h>

#include "durability/log_checks.hpp"
#include "durability/simulated_disk.hpp"
#include "log/log_audit.hpp"
#include "log/log_tail.hpp"
#include "support/switches.hpp"

namespace dsh::loader {
namespace {

constexpr const char *log_path = "/root/_no-cwd/s/session.jsonl";

/// A session of two turns, written by the store itself, with every kind of text.
std::string sample_log() {
  SimulatedDisk disk;
  const DurableStorage storage("/root", disk);
  const auto store = storage.create("s", std::nullopt);
  const auto append = [&](std::string_view type, std::string_view data, std::string_view sources = {},
                          std::string_view surface = {}) {
    store->append({store->size(), 1'750'000'000'000 + store->size(), type, data, sources, surface},
                  Sync::now);
  };
  append("turn/start", R"({"turn":1})");
  append("step/start", R"({"turn":1,"step":1})");
  append(
      "assistant/message",
      R"({"turn":1,"step":1,"message":{"role":"assistant","content":[{"type":"tool-call","id":"c1","name":"todo_write","arguments":"{}"}],"source":{"kind":"model","provider":"p","model":"m"},"id":"i"}})",
      "[]", R"("append")");
  append("tool/call",
         R"({"turn":1,"step":1,"callId":"c1","name":"todo_write","arguments":"{\"todos\":[]}"})");
  append("todo/write",
         "{\"todos\":[{\"content\":\"\xE4\xBB\xBB\xE5\x8A\xA1 \xF0\x9F\xA7\xA0 \\ud800 "
         "\\\"x\\\"\",\"status\":\"pending\"}]}");
  append(
      "tool/result",
      R"({"turn":1,"step":1,"message":{"role":"user","source":{"kind":"tool","callId":"c1"},"content":[],"id":"j"}})",
      "[3]", R"("append")");
  append("step/end", R"({"turn":1,"step":1})");
  append("turn/end", R"({"turn":1,"reason":{"kind":"completed"}})");
  append("turn/start", R"({"turn":2})");
  append("todo/write", R"({"todos":[{"content":"b","status":"in_progress"}]})");
  return disk.content(log_path);
}

/// Everything that reads or opens a log; whatever the bytes, none may do worse than throw Error.
std::vector<std::string> exercise(const std::string &bytes, std::string &read_error,
                                  std::string &open_error) {
  SimulatedDisk disk;
  disk.put(log_path, bytes);
  const DurableStorage storage("/root", disk);
  const LogFile file = storage.find("s");
  std::vector<std::string> events;
  read_error = error_of([&] { events = read_events(disk, file); });
  audit_log(file, {}, disk);
  const std::string tail_error = error_of([&] {
    read_tail(
        file, {"todo/write", "turn/start"}, [](const Event & /*event*/) { return true; }, disk);
  });
  EXPECT_EQ(disk.content(log_path), bytes) << "reading changed the file";
  std::vector<std::string> opened;
  open_error = error_of([&] {
    const auto store = storage.open("s");
    opened = events_of(*store);
    store->append({store->size(), 1, "turn/start", "{}", {}, {}}, Sync::now);
    EXPECT_EQ(read_events(disk, file).size(), opened.size() + 1);
  });
  if (open_error.empty())
    EXPECT_TRUE(starts_with(opened, events));
  else
    EXPECT_EQ(disk.content(log_path), bytes) << "a refused opening changed the file";
  return events;
}

TEST(CutLog, opens_as_a_prefix_at_every_byte) {
  const std::string whole = sample_log();
  std::string read_error;
  std::string open_error;
  const auto all = exercise(whole, read_error, open_error);
  ASSERT_EQ(all.size(), 10U);
  ASSERT_EQ(read_error + open_error, "");
  const std::size_t header_end = whole.find('\n') + 1;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    const auto events = exercise(whole.substr(0, size), read_error, open_error);
    if (size < header_end) {
      ASSERT_NE(read_error.find("empty or header-less session log"), std::string::npos);
      ASSERT_NE(open_error, "");
      continue;
    }
    ASSERT_EQ(read_error + open_error, "");
    // Whole lines count, each one of them.
    const auto lines =
        static_cast<std::size_t>(std::count(whole.begin() + static_cast<std::ptrdiff_t>(header_end),
                                            whole.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
    ASSERT_EQ(events.size(), lines);
    ASSERT_TRUE(starts_with(all, events));
  }
}

TEST(CutLog, zeros_in_place_of_the_lost_bytes_are_a_torn_tail_too) {
  const std::string whole = sample_log();
  std::string read_error;
  std::string open_error;
  const auto all = exercise(whole, read_error, open_error);
  for (std::size_t size = whole.find('\n') + 1; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    const auto events =
        exercise(whole.substr(0, size) + std::string(whole.size() - size, '\0'), read_error, open_error);
    ASSERT_EQ(read_error + open_error, "");
    ASSERT_TRUE(starts_with(all, events));
  }
}

/// Where the line begins that holds a byte, and its number among the events (-1: the header).
std::ptrdiff_t event_of_byte(const std::string &log, std::size_t byte) {
  return std::count(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(byte), '\n') - 1;
}

TEST(FlippedLog, never_changes_an_earlier_event_unnoticed) {
  const std::string whole = sample_log();
  std::string read_error;
  std::string open_error;
  const auto all = exercise(whole, read_error, open_error);
  std::size_t detected = 0;
  std::size_t flips = 0;
  std::size_t refused = 0;
  const std::size_t turn_end = whole.find('\n', whole.find(R"("type":"turn/end")"));
  for (std::size_t byte = 0; byte < whole.size(); ++byte) {
    for (int bit = 0; bit < 8; bit += full_run() ? 1 : 1 + static_cast<int>(byte % 3)) {
      SCOPED_TRACE("byte " + std::to_string(byte) + ", bit " + std::to_string(bit));
      std::string damaged = whole;
      damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
      const auto events = exercise(damaged, read_error, open_error);
      ++flips;
      if (!read_error.empty()) {
        ASSERT_LE(byte, turn_end) << read_error;
        ++refused;
        ++detected;
        continue;
      }
      // Every event but the one that holds the byte is as it was, or the log ends before it.
      const std::ptrdiff_t hit = event_of_byte(whole, byte);
      for (std::size_t at = 0; at < events.size(); ++at) {
        ASSERT_NE(events[at].find(R"(,"seq":)" + std::to_string(at) + ","), std::string::npos) << events[at];
        const bool hit_here = static_cast<std::ptrdiff_t>(at) == hit;
        ASSERT_TRUE(hit_here || events[at] == all[at]) << events[at];
      }
      if (static_cast<std::ptrdiff_t>(events.size()) < hit) FAIL() << "events before the damage are gone";
      if (events.size() < all.size()) ++detected;
    }
  }
  std::printf("%zu flips, %zu detected, %zu refused\n", flips, detected, refused);
  // A flip in a text goes unseen, one between texts doesn't. Refused is what is damaged before the finished
  // turn, and never what comes behind it.
  EXPECT_GE(flips - detected, flips / 10);
  EXPECT_GE(detected, flips / 3);
  EXPECT_GE(refused, flips / 5);
}

}  // namespace
}  // namespace dsh::loader
