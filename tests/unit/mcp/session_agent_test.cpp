#include "mcp/session_agent.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "durability/fault_ops.hpp"
#include "log/stored_sessions.hpp"
#include "support/failing_memory.hpp"
#include "support/temporary_directory.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(SessionAgent, may_go_after_the_service_that_it_listens_to_has_gone) {
  const Diagnostics diagnostics(Level::off);
  PluginHost host({PluginPaths({}), nullptr, {}}, diagnostics);
  std::optional<SessionAgent> agent;
  agent.emplace(host, SessionAgent::Place{"s", nullptr});
  EXPECT_TRUE(host.remove_service(id_of(Service::projections)));
  agent.reset();
  EXPECT_TRUE(host.add_service(id_of(Service::projections)));
  agent.emplace(host, SessionAgent::Place{"s", nullptr});
  EXPECT_FALSE(agent->plan_changed());
}

/// Sessions on disk. Another process does something just before one is created, or just after: then nothing
/// of it is on disk yet.
struct RacedStorage final : SessionStorage {
  RacedStorage(const std::string &root, FileOps &ops) : sessions(root, std::nullopt, ops) {}
  bool exists(std::string_view id) const override { return sessions.exists(id); }
  std::unique_ptr<EventStore> create(std::string_view id, std::int64_t seed_length) override {
    if (const auto act = std::exchange(before, nullptr)) act();
    auto store = sessions.create(id, seed_length);
    if (const auto act = std::exchange(after, nullptr)) act();
    return store;
  }
  std::unique_ptr<EventStore> open(std::string_view id, const Admit &admit) override {
    return sessions.open(id, admit);
  }

  StoredSessions sessions;
  std::function<void()> before, after;
};

/// A tool that appends one event; before and after that it does something else.
struct NotingTool {
  static std::int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out * /*value*/,
                                       const dsh_out *text, const dsh_error *error) {
    auto &self = *static_cast<NotingTool *>(user);
    ++self.calls;
    if (const auto act = std::exchange(self.before, nullptr)) act();
    const dsh_str type = DSH_STR("todo/write");
    const std::int32_t status =
        call->session->append(call->session, &type, R"({"todos":[]})", 12, nullptr, error);
    if (status != DSH_OK) return status;
    if (const auto act = std::exchange(self.after, nullptr)) act();
    return text->write(text->ctx, "noted", 5);
  }

  explicit NotingTool(PluginHost &host) : services(host.services()) {
    tool.struct_size = sizeof tool;
    tool.name = DSH_STR("note");
    tool.parameters = DSH_STR("{\"type\":\"object\"}");
    tool.user = this;
    tool.execute = execute;
    descriptor.emplace(&tool);
    services.gate.change([&] { services.tools.add(*descriptor); });
  }
  ~NotingTool() {
    services.gate.change([&] { services.tools.remove(*descriptor); });
  }
  NotingTool(const NotingTool &) = delete;
  NotingTool &operator=(const NotingTool &) = delete;

  Services &services;
  dsh_tool tool{};
  std::optional<ToolDescriptor> descriptor;
  int calls = 0;
  std::function<void()> before, after;
};

/// An agent whose session other processes want too.
struct Shared {
  /// As another process, which holds the session from then on.
  void create_elsewhere() {
    other = DurableStorage(root.path()).create("s", std::nullopt);
    other->append({0, 1, "turn/start", R"({"turn":7})", {}, {}}, Sync::now);
    other->append({1, 1, "turn/end", R"({"turn":7})", {}, {}}, Sync::now);
  }
  void create_elsewhere_and_end() {
    create_elsewhere();
    other.reset();
  }

  /// What the model sees of a call that appends nothing of its own.
  std::string call() { return agent.call("nothing", "{}").text; }
  std::string note() { return agent.call("note", "{}").text; }
  /// From now on, or no more.
  void fill_disk(bool full = true) { ops.set(full ? Fault{0, 1'000'000, ENOSPC} : Fault{}); }
  /// Or are there others who may write it?
  bool is_ours() { return !host.sessions().all().empty(); }
  std::string log() const { return root.read("_no-cwd/s/session.jsonl"); }

  TemporaryDirectory root;
  FaultOps ops{system_file_ops()};
  RacedStorage storage{root.path(), ops};
  std::unique_ptr<EventStore> other;
  const Diagnostics diagnostics{Level::off};
  PluginHost host{{PluginPaths({}), &storage, {}}, diagnostics};
  NotingTool tool{host};
  SessionAgent agent{host, {"s", &storage.sessions}};
};

constexpr const char *called = "Error: unknown tool \"nothing\"";
using Moment = std::function<void()> RacedStorage::*;
constexpr Moment moments[] = {&RacedStorage::before, &RacedStorage::after};

TEST(SessionAgent, calls_in_the_session_that_another_process_has_created_meanwhile) {
  for (const Moment moment : moments) {
    Shared shared;
    shared.storage.*moment = [&] { shared.create_elsewhere_and_end(); };
    EXPECT_EQ(shared.call(), called);
    shared.agent.close();
    EXPECT_THAT(shared.log(), HasSubstr(R"("data":{"turn":7})"));
    EXPECT_THAT(shared.log(), HasSubstr(R"({"turn":8,"reason":{"kind":"completed"}})"));
  }
}

TEST(SessionAgent, calls_a_tool_once_whoever_creates_the_session) {
  for (const Moment moment : moments) {
    Shared shared;
    shared.storage.*moment = [&] { shared.create_elsewhere_and_end(); };
    EXPECT_EQ(shared.note(), "noted");
    EXPECT_EQ(shared.tool.calls, 1);
  }
}

TEST(SessionAgent, calls_no_tool_in_a_session_that_another_process_holds) {
  for (const Moment moment : moments) {
    Shared shared;
    shared.storage.*moment = [&] { shared.create_elsewhere(); };
    EXPECT_THAT(shared.note(), HasSubstr("is being written by this process"));
    EXPECT_EQ(shared.tool.calls, 0);
  }
}

TEST(SessionAgent, names_the_process_that_has_taken_the_session_and_takes_it_afterwards) {
  for (const Moment moment : moments) {
    Shared shared;
    shared.storage.*moment = [&] { shared.create_elsewhere(); };
    for (int i = 0; i < 2; ++i) EXPECT_THAT(shared.call(), HasSubstr("is being written by this process"));
    EXPECT_FALSE(shared.is_ours());
    shared.other.reset();
    EXPECT_EQ(shared.call(), called);
    EXPECT_TRUE(shared.is_ours());
  }
}

TEST(SessionAgent, holds_no_session_of_which_the_disk_took_nothing) {
  Shared shared;
  shared.storage.after = [&] { shared.fill_disk(); };
  EXPECT_THAT(shared.call(), HasSubstr("No space left on device"));
  shared.fill_disk(false);
  EXPECT_FALSE(shared.is_ours());
  shared.create_elsewhere_and_end();
  EXPECT_EQ(shared.call(), called);
  EXPECT_THAT(shared.log(), HasSubstr(R"("data":{"turn":8})"));
}

/// Makes a call for which memory runs out behind `passing` allocations. Did it?
bool starve(Shared &shared, int passing, dsh::test::Shortage shortage) {
  const dsh::test::FailingMemory memory(passing, shortage);
  try {
    (void)shared.agent.call("note", "{}");
  } catch (const std::bad_alloc &) {  // NOLINT(bugprone-empty-catch): the client is told
  }
  return memory.met();
}

/// The types of a log's events, where a turn, a step or a call begins within another or has no end
/// "disorder".
std::vector<std::string> types_in_order(const std::string &log) {
  std::vector<std::string> types;
  std::vector<std::string> open;
  std::istringstream lines(log);
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line);) {
    const std::size_t start = line.find("\"type\":\"") + 8;
    types.push_back(line.substr(start, line.find('"', start) - start));
    const std::string &type = types.back();
    const auto slash = type.find('/');
    const std::string what = type.substr(0, slash);
    if (what != "turn" && what != "step" && what != "tool") continue;
    const bool begins = type.ends_with("/start") || type.ends_with("/call");
    const std::size_t depth = what == "turn" ? 0 : what == "step" ? 1 : 2;
    if (open.size() != (begins ? depth : depth + 1)) types.emplace_back("disorder");
    if (begins)
      open.push_back(what);
    else if (!open.empty())
      open.pop_back();
  }
  if (!open.empty()) types.emplace_back("disorder");
  return types;
}

constexpr dsh::test::Shortage shortages[] = {dsh::test::Shortage::once, dsh::test::Shortage::lasting};

TEST(SessionAgent, a_call_for_which_memory_runs_out_leaves_the_session_to_the_next_in_order) {
  for (const auto shortage : shortages) {
    Shared shared;
    EXPECT_EQ(shared.note(), "noted");
    int calls = 1;
    for (int passing = 0; starve(shared, passing, shortage); ++passing, ++calls)
      ASSERT_EQ(shared.note(), "noted") << passing;
    EXPECT_GT(calls, 20);
    shared.agent.close();
    const auto types = types_in_order(shared.log());
    EXPECT_THAT(types, Not(testing::Contains("disorder"))) << shared.log();
    EXPECT_GE(std::count(types.begin(), types.end(), "todo/write"), calls);
    EXPECT_EQ(std::count(types.begin(), types.end(), "turn/start"), 1);
  }
}

TEST(SessionAgent, a_first_call_for_which_memory_runs_out_leaves_the_session_to_the_next_in_order) {
  for (const int start : {0, 1}) {  // each place once: a call takes hundreds of allocations
    const auto shortage = shortages[start];
    bool met = true;
    for (int passing = start; met; passing += 2) {
      Shared shared;
      met = starve(shared, passing, shortage);
      ASSERT_EQ(shared.note(), "noted") << passing;
      shared.agent.close();
      ASSERT_THAT(types_in_order(shared.log()), Not(testing::Contains("disorder"))) << shared.log();
    }
  }
}

/// A call that isn't in the log may have brought there what the one before had to leave out.
TEST(SessionAgent, stays_in_its_turn_when_the_disk_refuses_a_call_after_it_took_what_was_owed) {
  Shared shared;
  shared.tool.after = [&] { shared.fill_disk(); };
  EXPECT_EQ(shared.note(), "noted");
  shared.fill_disk(false);
  shared.tool.before = [&] { shared.fill_disk(); };
  EXPECT_THAT(shared.note(), HasSubstr("No space left on device"));
  shared.fill_disk(false);
  EXPECT_EQ(shared.note(), "noted");
  shared.agent.close();
  EXPECT_THAT(shared.log(), Not(HasSubstr("session/end-seed")));
  EXPECT_THAT(shared.log(), Not(HasSubstr(R"("turn":2)")));
  EXPECT_THAT(shared.log(), HasSubstr(R"({"turn":1,"reason":{"kind":"completed"}})"));
}

}  // namespace
}  // namespace dsh::loader
