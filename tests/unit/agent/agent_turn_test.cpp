#include "agent/agent_turn.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "log/stored_sessions.hpp"
#include "services/memory_store.hpp"
#include "services/services.hpp"
#include "support/temporary_directory.hpp"
#include "text/diagnostics.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A log in memory whose writes to the disk can be made to fail: what is deferred goes then, as in a file.
struct Disk {
  MemoryStore kept;
  int refusals = 0;   // of the next writes
  std::string unfit;  // the type of the next event that it can't hold
  int syncs = 0;
  std::vector<std::size_t> writes;  // how many events each held
};

class Store final : public EventStore {
 public:
  explicit Store(Disk &disk) : disk_(disk) {}

  std::int64_t size() const override {
    return disk_.kept.size() + static_cast<std::int64_t>(deferred_.size());
  }

  void append(const Event &event, Sync sync) override {
    if (event.type == disk_.unfit) {
      disk_.unfit.clear();
      throw UnfitEvent("no log holds that");
    }
    if (sync != Sync::deferred && disk_.refusals > 0) {
      --disk_.refusals;
      throw Error("No space left on device");
    }
    deferred_.push_back({event, std::string(event.type), std::string(event.data),
                         std::string(event.source_event_seqs), std::string(event.surface_op)});
    if (sync == Sync::deferred) return;
    for (const Copy &copy : deferred_) disk_.kept.append(copy.view(), Sync::now);
    disk_.writes.push_back(deferred_.size());
    deferred_.clear();
    if (sync == Sync::now) ++disk_.syncs;
  }

  void read(std::int64_t from, const std::function<bool(const Event &)> &each) const override {
    bool more = true;
    disk_.kept.read(from, [&](const Event &event) { return more = each(event); });
    for (const Copy &copy : deferred_)
      if (more && copy.event.seq >= from) more = each(copy.view());
  }

  std::int64_t drop_deferred() override {
    deferred_.clear();
    return size();
  }

 private:
  struct Copy {
    Event event;
    std::string type;
    std::string data;
    std::string seqs;
    std::string op;
    Event view() const { return {event.seq, event.time, type, data, seqs, op}; }
  };
  Disk &disk_;
  std::vector<Copy> deferred_;
};

struct Storage final : SessionStorage {
  explicit Storage(Disk &of_test) : disk(of_test) {}
  bool exists(std::string_view /*id*/) const override { return false; }
  std::unique_ptr<EventStore> create(std::string_view /*id*/, std::int64_t /*seed*/) override {
    return std::make_unique<Store>(disk);
  }
  std::unique_ptr<EventStore> open(std::string_view /*id*/, const Admit & /*admit*/) override {
    return std::make_unique<Store>(disk);
  }
  Disk &disk;
};

/// A tool that appends one event, as todo_write does; `quiet` arguments append none.
std::int32_t DSH_CALL execute(void * /*user*/, const dsh_call *call, const dsh_out * /*value*/,
                              const dsh_out *text, const dsh_error *error) {
  if (std::string_view(call->arguments.data, call->arguments.size) != "quiet") {
    const dsh_str type = DSH_STR("note");
    const std::int32_t status = call->session->append(call->session, &type, "{}", 2, nullptr, error);
    if (status != DSH_OK) return status;
  }
  return text->write(text->ctx, "done", 4);
}

class AgentTurnTest : public ::testing::Test {
 protected:
  AgentTurnTest() {
    dsh_tool tool{};
    tool.struct_size = sizeof tool;
    tool.name = DSH_STR("note");
    tool.parameters = DSH_STR("{\"type\":\"object\"}");
    tool.execute = execute;
    descriptor_ = std::make_unique<ToolDescriptor>(&tool);
    services_.gate.change([&] { services_.tools.add(*descriptor_); });
    session_ = services_.sessions.create("s");
  }
  ~AgentTurnTest() override {
    services_.gate.change([&] { services_.tools.remove(*descriptor_); });
  }

  std::vector<std::string> types() {
    std::vector<std::string> types;
    session_->read(0, [&](const Event &event) {
      types.emplace_back(event.type);
      return true;
    });
    return types;
  }

  std::vector<std::string> on_disk() {
    std::vector<std::string> types;
    disk_.kept.read(0, [&](const Event &event) {
      types.emplace_back(event.type);
      return true;
    });
    return types;
  }

  std::string data_of(std::int64_t seq) {
    std::string data;
    session_->read(seq, [&](const Event &event) {
      data = event.data;
      return false;
    });
    return data;
  }

  Diagnostics diagnostics_{Level::off};
  Disk disk_;
  Storage storage_{disk_};
  Services services_{diagnostics_, &storage_};
  std::unique_ptr<ToolDescriptor> descriptor_;
  std::shared_ptr<Session> session_;
};

TEST_F(AgentTurnTest, nothing_is_logged_before_the_first_call) {
  AgentTurn turn(services_.tools, *session_, {"p", "m"});
  turn.close();
  EXPECT_THAT(types(), ElementsAre());
}

TEST_F(AgentTurnTest, each_call_is_a_step_and_one_turn_holds_them) {
  AgentTurn turn(services_.tools, *session_, {"p", "m"});
  EXPECT_EQ(turn.call("note", "{}").text, "done");
  EXPECT_EQ(turn.call("note", "{}").text, "done");
  turn.close();
  EXPECT_THAT(types(), ElementsAre("turn/start", "step/start", "assistant/message", "tool/call", "note",
                                   "tool/result", "step/end", "step/start", "assistant/message", "tool/call",
                                   "note", "tool/result", "step/end", "turn/end"));
  EXPECT_EQ(data_of(7), R"({"turn":1,"step":2})");
  EXPECT_EQ(on_disk(), types());
}

TEST_F(AgentTurnTest, a_call_that_ends_its_turn_waits_for_the_disk_twice_and_writes_the_end_alone) {
  AgentTurn(services_.tools, *session_, {"p", "m"}).call("note", "{}", AgentTurn::Then::close);
  EXPECT_EQ(disk_.syncs, 2);
  EXPECT_THAT(disk_.writes, ElementsAre(5, 2, 1));
  EXPECT_EQ(on_disk().back(), "turn/end");
}

TEST_F(AgentTurnTest, turns_are_counted_on_from_the_log) {
  session_->append({"turn/start", R"({"turn":41})", {}, {}});
  for (int i = 0; i < 600; ++i) session_->append({"filler", "{}", {}, {}}, Sync::deferred);
  AgentTurn(services_.tools, *session_, {"p", "m"}).call("note", "{}", AgentTurn::Then::close);
  EXPECT_EQ(data_of(601), R"({"turn":42})");
}

TEST_F(AgentTurnTest, a_turn_whose_number_cannot_be_counted_on_from_is_the_one_behind_the_one_before) {
  session_->append({"turn/start", R"({"turn":4.1e1})", {}, {}});
  for (const char *number : {"9223372036854775807", "9007199254740991", "null"}) {
    for (int i = 0; i < 300; ++i) session_->append({"filler", "{}", {}, {}}, Sync::deferred);
    session_->append({"turn/start", "{\"turn\":" + std::string(number) + "}", {}, {}}, Sync::deferred);
  }
  const std::int64_t seq = session_->size();
  AgentTurn(services_.tools, *session_, {"p", "m"}).call("note", "{}", AgentTurn::Then::close);
  EXPECT_EQ(data_of(seq), R"({"turn":45})");
}

TEST_F(AgentTurnTest, where_the_disk_refuses_the_tools_event_the_log_is_as_before) {
  AgentTurn turn(services_.tools, *session_, {"p", "m"});
  disk_.refusals = 1;
  const ToolResult result = turn.call("note", "{}");
  EXPECT_TRUE(result.is_error);
  EXPECT_EQ(result.message, "No space left on device");
  EXPECT_FALSE(turn.is_logged());
  EXPECT_THAT(types(), ElementsAre());
  turn.call("note", "{}");
  EXPECT_TRUE(turn.is_logged());
  EXPECT_EQ(types().size(), 7U);
  EXPECT_EQ(data_of(0), R"({"turn":1})");
  EXPECT_EQ(data_of(1), R"({"turn":1,"step":1})");
  disk_.refusals = 1;
  EXPECT_TRUE(turn.call("note", "{}").is_error);
  EXPECT_EQ(types().size(), 7U);
}

TEST_F(AgentTurnTest, where_the_disk_refuses_the_result_it_is_owed) {
  AgentTurn turn(services_.tools, *session_, {"p", "m"});
  turn.call("note", "{}");
  session_->append({"filler", "{}", {}, {}});
  const std::size_t before = types().size();
  // The tool's own event reaches the disk, what follows doesn't.
  struct Refuse {
    static std::int32_t DSH_CALL run(void *user, const dsh_call *call, const dsh_out *value,
                                     const dsh_out *text, const dsh_error *error) {
      const std::int32_t status = execute(nullptr, call, value, text, error);
      static_cast<Disk *>(user)->refusals = 1;
      return status;
    }
  };
  dsh_tool tool{};
  tool.struct_size = sizeof tool;
  tool.name = DSH_STR("last");
  tool.parameters = DSH_STR("{\"type\":\"object\"}");
  tool.user = &disk_;
  tool.execute = Refuse::run;
  const ToolDescriptor last(&tool);
  services_.gate.change([&] { services_.tools.add(last); });
  const ToolResult result = turn.call("last", "{}");
  EXPECT_FALSE(result.is_error);
  EXPECT_EQ(turn.debt(), "No space left on device");
  EXPECT_TRUE(turn.is_logged());
  EXPECT_EQ(types().size(), before + 4);  // step/start, assistant/message, tool/call, note
  turn.call("note", "{}");
  EXPECT_EQ(turn.debt(), "");
  const std::vector<std::string> now = types();
  EXPECT_EQ(now[before + 4], "tool/result");
  EXPECT_EQ(now[before + 5], "step/end");
  EXPECT_EQ(now[before + 6], "step/start");
  services_.gate.change([&] { services_.tools.remove(last); });
}

TEST_F(AgentTurnTest, where_the_disk_refuses_a_call_that_appended_nothing_it_never_was) {
  AgentTurn turn(services_.tools, *session_, {"p", "m"});
  disk_.refusals = 1;
  EXPECT_THROW(turn.call("note", "quiet"), Error);
  EXPECT_THAT(types(), ElementsAre());
  turn.call("note", "quiet");
  turn.close();
  EXPECT_THAT(types(), ElementsAre("turn/start", "step/start", "assistant/message", "tool/call",
                                   "tool/result", "step/end", "turn/end"));
}

TEST_F(AgentTurnTest, a_tool_that_makes_light_of_a_disk_that_refused_is_not_believed) {
  const auto careless = [](void * /*user*/, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                           const dsh_error *error) -> std::int32_t {
    (void)execute(nullptr, call, value, text, error);
    return DSH_OK;
  };
  dsh_tool tool{};
  tool.struct_size = sizeof tool;
  tool.name = DSH_STR("careless");
  tool.parameters = DSH_STR("{\"type\":\"object\"}");
  tool.execute = careless;
  const ToolDescriptor descriptor(&tool);
  services_.gate.change([&] { services_.tools.add(descriptor); });
  AgentTurn turn(services_.tools, *session_, {"p", "m"});
  disk_.refusals = 1;
  EXPECT_THROW(turn.call("careless", "{}"), Error);
  EXPECT_THAT(types(), ElementsAre());
  EXPECT_FALSE(turn.call("careless", "{}").is_error);
  services_.gate.change([&] { services_.tools.remove(descriptor); });
}

TEST_F(AgentTurnTest, a_turns_end_that_the_disk_refuses_may_be_tried_again) {
  AgentTurn turn(services_.tools, *session_, {"p", "m"});
  turn.call("note", "{}");
  disk_.refusals = 1;
  EXPECT_THROW(turn.close(), Error);
  turn.close();
  turn.close();
  EXPECT_EQ(types().size(), 8U);
  EXPECT_EQ(on_disk().back(), "turn/end");
}

TEST_F(AgentTurnTest, a_step_whose_message_the_log_cannot_hold_ends_and_its_turn_goes_on) {
  AgentTurn turn(services_.tools, *session_, {"p", "m"});
  disk_.unfit = "assistant/message";
  EXPECT_THROW(turn.call("note", "{}"), UnfitEvent);
  EXPECT_EQ(turn.call("note", "{}").text, "done");
  turn.close();
  EXPECT_THAT(types(), ElementsAre("turn/start", "step/start", "step/end", "step/start", "assistant/message",
                                   "tool/call", "note", "tool/result", "step/end", "turn/end"));
  EXPECT_EQ(on_disk(), types());
}

TEST_F(AgentTurnTest, of_a_result_that_the_log_cannot_hold_it_tells_that) {
  AgentTurn turn(services_.tools, *session_, {"p", "m"});
  disk_.unfit = "tool/result";
  EXPECT_EQ(turn.call("note", "quiet", AgentTurn::Then::close).text, "done");
  EXPECT_EQ(turn.debt(), "");
  EXPECT_THAT(on_disk(), ElementsAre("turn/start", "step/start", "assistant/message", "tool/call",
                                     "tool/result", "step/end", "turn/end"));
  EXPECT_THAT(data_of(4), HasSubstr("Error: no log holds that"));
}

TEST_F(AgentTurnTest, a_call_whose_event_no_log_on_disk_takes_has_failed_and_is_logged) {
  const TemporaryDirectory root;
  StoredSessions stored(root.path(), {}, system_file_ops());
  Services services(diagnostics_, &stored);
  services.gate.change([&] { services.tools.add(*descriptor_); });
  session_ = services.sessions.create("s");
  AgentTurn turn(services.tools, *session_, {"p", "m"});
  const ToolResult result = turn.call("note", "{}", AgentTurn::Then::close);
  EXPECT_TRUE(result.is_error);
  EXPECT_THAT(result.message, HasSubstr("\"note\" is unknown to log format 0"));
  EXPECT_TRUE(turn.is_logged());
  EXPECT_EQ(turn.debt(), "");
  services.sessions.dispose("s");
  session_ = services.sessions.open("s");
  EXPECT_THAT(types(), ElementsAre("turn/start", "step/start", "assistant/message", "tool/call",
                                   "tool/result", "step/end", "turn/end", "session/end-seed"));
  services.sessions.dispose("s");
  services.gate.change([&] { services.tools.remove(*descriptor_); });
}

TEST_F(AgentTurnTest, bytes_that_are_no_utf8_are_logged_as_replacement_characters) {
  AgentTurn(services_.tools, *session_, {"p", "m"}).call("note", "\xff", AgentTurn::Then::close);
  EXPECT_THAT(data_of(3), HasSubstr("\"arguments\":\"\xEF\xBF\xBD\""));
}

}  // namespace
}  // namespace dsh::loader
