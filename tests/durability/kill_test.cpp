// Processes killed while they write: what they were told is on disk is on disk.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "durability/child_process.hpp"
#include "durability/log_checks.hpp"
#include "support/switches.hpp"
#include "support/temporary_directory.hpp"

namespace dsh::loader {
namespace {

constexpr int batches = 1000;  // more than any round lives to see, however fast its disk
constexpr std::size_t most_awaited = 11;

/// The life of a writer: opens or creates the session, appends batches of one to four events, and says
/// so after each: "<number of events> <text of the last>".
void write_session(const std::string &root, std::uint32_t seed, int out) {
  std::mt19937 random(seed);
  const DurableStorage storage(root);
  const auto store = storage.exists("s") ? storage.open("s") : storage.create("s", std::nullopt);
  write_line(out, "opened " + std::to_string(store->size()));
  for (int batch = 0; batch < batches; ++batch) {
    std::string last;
    for (std::size_t left = 1 + random() % 4; left > 0; --left) {
      const std::string data =
          R"({"batch":)" + std::to_string(batch) + R"(,"text":")" + std::string(random() % 3000, 'x') + "\"}";
      const char *const type = batch % 5 == 0 ? "turn/start" : batch % 5 == 4 ? "turn/end" : "goal/change";
      const Event event{store->size(), 1000 + batch, type, data, {}, {}};
      store->append(event, left == 1 ? Sync::now : Sync::deferred);
      last = event_text(event);
      last.pop_back();
    }
    write_line(out, std::to_string(store->size()) + " " + last);
  }
}

/// Lets a writer work until it has told `wanted` lines and a moment more, kills it, and gives all its lines.
std::vector<std::string> told_until_killed(ChildProcess child, std::size_t wanted,
                                           std::chrono::microseconds more) {
  std::vector<std::string> told;
  std::string line;
  while (told.size() < wanted && child.read_line(line)) told.push_back(line);
  std::this_thread::sleep_for(more);
  child.kill();
  while (child.read_line(line)) told.push_back(line);
  return told;
}

/// The session opens, and holds everything that its killed writer acknowledged in these lines.
void expect_kept(const std::string &root, const std::vector<std::string> &told) {
  std::int64_t acknowledged = 0;
  std::string last;
  if (told.size() > 1) {
    acknowledged = std::stoll(told.back());
    last = told.back().substr(told.back().find(' ') + 1) + "\n";
  } else if (told.size() == 1) {
    acknowledged = std::stoll(told.back().substr(told.back().find(' ')));
  }
  const DurableStorage storage(root);
  if (!storage.exists("s")) {
    ASSERT_EQ(acknowledged, 0);
    return;
  }
  std::vector<std::string> read;
  ASSERT_EQ(error_of([&] { read = read_events(system_file_ops(), storage.find("s")); }), "");
  ASSERT_GE(std::ssize(read), acknowledged);
  if (!last.empty()) {
    ASSERT_EQ(read[static_cast<std::size_t>(acknowledged) - 1], last);
  }
  ASSERT_EQ(error_of([&] {
              const auto store = storage.open("s");
              ASSERT_TRUE(starts_with(events_of(*store), read));
            }),
            "");
  // Nor is anything left beside the log of what the kill interrupted.
  using Names = std::filesystem::directory_iterator;
  ASSERT_EQ(std::distance(Names(root + "/_no-cwd/s"), Names()), 1);
}

TEST(KillTest, acknowledged_events_survive_and_every_file_opens) {
  const std::uint32_t seed = test_seed(20240611);
  std::mt19937 random(seed);
  const int rounds = full_run() ? 5000 : 240;
  int between = 0;  // rounds killed after the first acknowledgement and before the last
  int before = 0;
  std::size_t acknowledged_events = 0;
  auto root = std::make_unique<TemporaryDirectory>();
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    if (round % 8 == 0) root = std::make_unique<TemporaryDirectory>();
    const auto child_seed = static_cast<std::uint32_t>(random());

    // Most rounds wait for some batches and a moment more; the others strike at any time at all.
    const bool early = round % 4 == 3;
    const std::size_t wanted = early ? 0 : 2 + random() % (most_awaited - 1);
    const std::chrono::microseconds more(random() % (early ? 20'000 : 1'500));
    const std::vector<std::string> told = told_until_killed(
        ChildProcess([&](int out) { write_session(root->path(), child_seed, out); }), wanted, more);
    if (told.size() > 1 && told.size() < batches + 1) ++between;
    if (told.size() <= 1) ++before;
    acknowledged_events += told.size();
    expect_kept(root->path(), told);
    if (HasFatalFailure()) return;
  }
  std::printf(
      "%d rounds: %d killed between the first and the last append, %d before; %zu lines of acknowledgement\n",
      rounds, between, before, acknowledged_events);
  EXPECT_GE(between, rounds * 5 / 12);
}

}  // namespace
}  // namespace dsh::loader
