// Power cuts: after every system call of a writing process, every combination of what was not synced.

#include <fcntl.h>
#include <gtest/gtest.h>

#include <random>

#include "agent/agent_turn.hpp"
#include "durability/fault_ops.hpp"
#include "durability/log_checks.hpp"
#include "durability/simulated_disk.hpp"
#include "log/stored_sessions.hpp"
#include "services/services.hpp"
#include "support/switches.hpp"
#include "text/diagnostics.hpp"

namespace dsh::loader {
namespace {

using Fate = SimulatedDisk::Fate;

constexpr const char *log_path = "/root/_no-cwd/s/session.jsonl";

/// The disk, and a look at it after every change.
class WatchedDisk : public FileOps {
 public:
  explicit WatchedDisk(SimulatedDisk &disk) : disk_(disk) {}
  std::function<void()> watch = [] {};

  int open(const char *path, int flags, unsigned mode) override {
    return look(disk_.open(path, flags, mode));
  }
  int close(int fd) override { return disk_.close(fd); }
  long pread(int fd, void *to, std::size_t size, std::int64_t offset) override {
    return disk_.pread(fd, to, size, offset);
  }
  long write(int fd, const void *from, std::size_t size) override {
    return look(disk_.write(fd, from, size));
  }
  int fsync(int fd) override { return look(disk_.fsync(fd)); }
  int fdatasync(int fd) override { return look(disk_.fdatasync(fd)); }
  int ftruncate(int fd, std::int64_t size) override { return look(disk_.ftruncate(fd, size)); }
  int fstat(int fd, struct ::stat *to) override { return disk_.fstat(fd, to); }
  int stat(const char *path, struct ::stat *to) override { return disk_.stat(path, to); }
  int flock(int fd, int operation) override { return disk_.flock(fd, operation); }
  int link(const char *from, const char *to) override { return look(disk_.link(from, to)); }
  int unlink(const char *path) override { return look(disk_.unlink(path)); }
  int mkdir(const char *path, unsigned mode) override { return look(disk_.mkdir(path, mode)); }
  int list(const char *path, std::vector<std::string> &names) override { return disk_.list(path, names); }

 private:
  template <typename Result>
  Result look(Result result) {
    const int kept = errno;
    watch();
    errno = kept;
    return result;
  }
  SimulatedDisk &disk_;
};

class PowerCutTest : public ::testing::Test {
 protected:
  PowerCutTest() {
    watched_.watch = [this] { cut_everywhere(); };
  }
  ~PowerCutTest() override { std::printf("%zu power cuts\n", cuts_); }

  /// Appends, and takes note once it was acknowledged. False when it failed.
  bool append(EventStore &store, std::string_view type, std::string_view data, Sync sync = Sync::now) {
    const Event event{store.size(), 1000 + store.size(), type, data, {}, {}};
    try {
      store.append(event, sync);
    } catch (const Error &) {
      return false;
    }
    unacknowledged_.push_back(event_text(event));
    if (sync == Sync::now) acknowledge();
    return true;
  }

  void acknowledge() {
    acknowledged_.insert(acknowledged_.end(), unacknowledged_.begin(), unacknowledged_.end());
    unacknowledged_.clear();
  }

  void cut_everywhere() {
    const std::size_t changes = disk_.unsynced();
    if (changes <= 9) {
      for (std::size_t kept = 0; kept < std::size_t{1} << changes; ++kept) {
        std::size_t at = 0;
        check(disk_.cut_power([&] { return (kept >> at++ & 1U) != 0 ? Fate::kept : Fate::lost; }));
      }
    }
    if (changes == 1) {
      for (int fate = 0; fate < SimulatedDisk::fates; ++fate)
        check(disk_.cut_power([&] { return static_cast<Fate>(fate); }));
      return;
    }
    for (int sample = full_run() ? 400 : 40; sample > 0 && changes > 0; --sample)
      check(disk_.cut_power([&] { return static_cast<Fate>(random_() % SimulatedDisk::fates); }));
  }

  void check(const std::unique_ptr<SimulatedDisk> &after) {
    ++cuts_;
    const DurableStorage storage(root_, *after);
    const std::string before = after->content(root_ + "/_no-cwd/s/session.jsonl");
    const std::string error = error_of([&] {
      if (!storage.exists("s")) {
        ASSERT_TRUE(acknowledged_.empty()) << "an acknowledged session is gone";
        storage.create("s", std::nullopt)->append({0, 1, "turn/start", "{}", {}, {}}, Sync::now);
        return;
      }
      ASSERT_TRUE(starts_with(read_events(*after, storage.find("s")), acknowledged_)) << before;
      const auto store = storage.open("s");
      ASSERT_TRUE(starts_with(events_of(*store), acknowledged_)) << before;
      store->append({store->size(), 1, "turn/start", "{}", {}, {}}, Sync::now);
      ASSERT_EQ(read_events(*after, storage.find("s")), events_of(*store));
    });
    ASSERT_EQ(error, "") << before;
  }

  std::string root_ = "/root";
  std::mt19937 random_{test_seed(4711)};
  SimulatedDisk disk_;
  WatchedDisk watched_{disk_};
  DurableStorage storage_{"/root", watched_};
  std::vector<std::string> acknowledged_;
  std::vector<std::string> unacknowledged_;
  std::size_t cuts_ = 0;
};

TEST_F(PowerCutTest, while_a_session_is_created_and_written) {
  const auto store = storage_.create("s", std::nullopt);
  append(*store, "turn/start", R"({"turn":1})", Sync::deferred);
  append(*store, "tool/call", R"({"turn":1,"step":1,"callId":"c","name":"todo_write","arguments":"{}"})",
         Sync::deferred);
  append(*store, "todo/write", R"({"todos":[{"content":"a","status":"pending"}]})");
  append(*store, "step/end", "{}", Sync::deferred);
  append(*store, "turn/end", R"({"turn":1,"reason":{"kind":"completed"}})");
  append(*store, "turn/start", R"({"turn":2})");
  append(*store, "todo/write", R"({"todos":[]})");
  EXPECT_EQ(acknowledged_.size(), 7U);
}

std::vector<std::string> events_of(Session &session) {
  std::vector<std::string> events;
  session.read(0, [&events](const Event &event) {
    events.push_back(event_text(event));
    return true;
  });
  return events;
}

/// A tool that appends a list. `user` is told of it when it is on disk.
std::int32_t DSH_CALL write_list(void *user, const dsh_call *call, const dsh_out * /*value*/,
                                 const dsh_out *text, const dsh_error *error) {
  const dsh_str type = DSH_STR("todo/write");
  constexpr std::string_view data = R"({"todos":[{"content":"a","status":"pending"}]})";
  const std::int32_t status =
      call->session->append(call->session, &type, data.data(), data.size(), nullptr, error);
  if (status != DSH_OK) return status;
  (*static_cast<const std::function<void()> *>(user))();
  const std::string answer(SimulatedDisk::page_size, 'x');  // a result of more than a page
  return text->write(text->ctx, answer.data(), answer.size());
}

TEST_F(PowerCutTest, while_an_agents_turns_call_a_tool) {
  Diagnostics diagnostics(Level::off);
  StoredSessions storage("/root", std::nullopt, watched_);
  Services services(diagnostics, &storage);
  std::shared_ptr<Session> session;
  const std::function<void()> on_disk = [&] { acknowledged_ = events_of(*session); };
  dsh_tool tool{};
  tool.struct_size = sizeof tool;
  tool.name = DSH_STR("write_list");
  tool.parameters = DSH_STR("{\"type\":\"object\"}");
  tool.user = const_cast<std::function<void()> *>(&on_disk);
  tool.execute = write_list;
  const ToolDescriptor descriptor(&tool);
  services.gate.change([&] { services.tools.add(descriptor); });
  session = services.sessions.create("s");
  const CallerName caller{"p", "m"};
  for (int turns = 0; turns < 2; ++turns) {
    AgentTurn(services.tools, *session, caller).call("write_list", "{}", AgentTurn::Then::close);
    acknowledged_ = events_of(*session);
    acknowledged_.pop_back();  // the turn's end: who opens the log makes up for it
    AgentTurn of_several(services.tools, *session, caller);
    for (const char *name : {"write_list", "no_such_tool", "write_list"}) {
      of_several.call(name, "{}");
      on_disk();
    }
    of_several.close();
  }
  EXPECT_EQ(acknowledged_.size(), 2U * (8 + 1 + 6 + 5 + 6 + 1) - 1);  // all but the last end
  services.gate.change([&] { services.tools.remove(descriptor); });
}

TEST_F(PowerCutTest, while_what_a_killed_process_never_synced_is_repaired) {
  const std::string synced = R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
                             "\n" +
                             event_text({0, 1, "turn/start", R"({"turn":1})", {}, {}});
  const std::string step = event_text({1, 2, "step/start", R"({"turn":1,"step":1})", {}, {}});
  const std::string calls =
      event_text({2, 3, "assistant/message",
                  R"({"turn":1,"step":1,"message":{"content":[{"type":"tool-call","id":"c1"},)"
                  R"({"type":"tool-call","id":"c2"}]}})",
                  "[]", R"("append")"}) +
      event_text({3, 4, "tool/call", R"({"turn":1,"step":1,"callId":"c1"})", {}, {}});
  const std::string filled(SimulatedDisk::page_size, 'x');
  const std::string step_end =
      event_text({2, 3, "step/end", R"({"turn":1,"step":1,"why":")" + filled + "\"}", {}, {}});
  for (const std::string &unsynced : {step, step + calls, step + step_end}) {
    acknowledged_ = {event_text({0, 1, "turn/start", R"({"turn":1})", {}, {}})};
    disk_.put(log_path, synced);
    const int killed = disk_.open(log_path, O_WRONLY | O_APPEND, 0);
    disk_.write(killed, unsynced.data(), unsynced.size());
    disk_.close(killed);
    cut_everywhere();
    const auto store = storage_.open("s");
    acknowledged_ = events_of(*store);
    ASSERT_TRUE(append(*store, "turn/start", R"({"turn":2})"));
  }
}

TEST_F(PowerCutTest, in_directories_that_a_killed_process_made_and_never_synced) {
  const std::vector<std::string> made = {"/deep", "/deep/root", "/deep/root/_no-cwd", "/deep/root/_no-cwd/s"};
  root_ = "/deep/root";
  const DurableStorage storage(root_, watched_);
  for (std::size_t there = 1; there <= made.size(); ++there) {
    disk_ = SimulatedDisk();
    acknowledged_.clear();
    for (std::size_t at = 0; at < there; ++at) {
      disk_.mkdir(made[at].c_str(), 0700);
      // Each directory is synced before the next one is made.
      const int parent = disk_.open(made[at].substr(0, made[at].find_last_of('/')).c_str(), O_RDONLY, 0);
      if (at + 1 < there) disk_.fsync(parent);
      disk_.close(parent);
    }
    const auto store = storage.create("s", std::nullopt);
    ASSERT_TRUE(append(*store, "turn/start", R"({"turn":1})"));
    ASSERT_TRUE(append(*store, "turn/end", R"({"turn":1})"));
  }
}

TEST_F(PowerCutTest, in_a_log_whose_maker_was_killed_before_its_name_was_on_disk) {
  disk_.put("/root/_no-cwd/s/notes", "");
  const std::string temporary = std::string(log_path) + ".0123abcd-0123-0123-0123-0123456789ab.tmp";
  const std::string bytes = R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
                            "\n" +
                            event_text({0, 1, "turn/start", R"({"turn":1})", {}, {}});
  const int fd = disk_.open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  ASSERT_EQ(disk_.write(fd, bytes.data(), bytes.size()), std::ssize(bytes));
  disk_.fsync(fd);
  disk_.link(temporary.c_str(), log_path);
  disk_.close(fd);
  const auto store = storage_.open("s");
  acknowledged_ = events_of(*store);
  ASSERT_TRUE(append(*store, "turn/start", R"({"turn":2})"));
  EXPECT_EQ(acknowledged_.size(), 4U);
}

TEST_F(PowerCutTest, while_a_torn_log_is_repaired_and_written_on) {
  const std::string sound = R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
                            "\n";
  const std::string first = event_text({0, 1, "turn/start", R"({"turn":1})", {}, {}});
  const std::string second = event_text({1, 2, "step/start", R"({"turn":1,"step":1})", {}, {}});
  for (const std::string &tail :
       {std::string(), std::string(R"({"type":"todo/wri)"),
        "x\n" + event_text({2, 3, "todo/write", "{}", {}, {}}), std::string(700, '\0')}) {
    acknowledged_ = {first, second};
    disk_.put(log_path, sound + first + second + tail);
    const auto store = storage_.open("s");
    acknowledged_ = events_of(*store);
    EXPECT_EQ(acknowledged_.size(), 5U);
    append(*store, "turn/start", R"({"turn":2})");
    append(*store, "turn/end", R"({"turn":2})");
  }
}

TEST_F(PowerCutTest, after_a_failed_append) {
  FaultOps faults(watched_);
  const DurableStorage storage("/root", faults);
  for (const char *other : {"short", R"({"a text that is":"longer than the one that failed before it"})"}) {
    for (std::int64_t call = 0; call < 4; ++call) {
      for (std::int64_t count = 1; count < 4; ++count) {
        disk_.unlink(log_path);
        acknowledged_.clear();
        unacknowledged_.clear();
        const auto store = storage.create("s", std::nullopt);
        ASSERT_TRUE(append(*store, "turn/start", R"({"turn":1})"));
        // Two lines: what is left of the second, behind a half-written first, must not count.
        append(*store, "goal/change", R"({"a":"line of some length"})", Sync::deferred);
        faults.set({call, count, ENOSPC});
        append(*store, "turn/end", R"({"turn":1,"reason":{"kind":"completed"}})");
        faults.set({});
        store->drop_deferred();
        unacknowledged_.clear();
        const std::string data = std::string(other) == "short" ? "{}" : other;
        ASSERT_TRUE(append(*store, "goal/change", data));
        ASSERT_TRUE(append(*store, "turn/end", R"({"turn":1})"));
      }
    }
  }
}

TEST_F(PowerCutTest, after_a_failed_creation) {
  FaultOps faults(watched_);
  const DurableStorage storage("/root", faults);
  for (std::int64_t call = full_run() ? 0 : 16; call < 42; call += full_run() ? 1 : 3) {
    for (std::int64_t count = 1; count < 4; ++count) {
      disk_ = SimulatedDisk();
      acknowledged_.clear();
      unacknowledged_.clear();
      std::unique_ptr<EventStore> store;
      faults.set({});
      store = storage.create("s", std::nullopt);
      faults.set({call, count, EIO});
      for (bool done = false; !done;) {
        unacknowledged_.clear();
        done = append(*store, "turn/start", R"({"turn":1})");
      }
      faults.set({});
      ASSERT_TRUE(append(*store, "todo/write", R"({"todos":[]})"));
    }
  }
}

}  // namespace
}  // namespace dsh::loader
