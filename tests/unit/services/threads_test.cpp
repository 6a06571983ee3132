// Sessions on several threads, while registrations come and go.

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "fixture.hpp"

namespace dsh::loader {
namespace {

using namespace testing_support;

std::int32_t append_arguments(void *, const dsh_call *call, const dsh_out *, const dsh_out *text,
                              const dsh_error *error) {
  const dsh_str type = DSH_STR("set");
  write(text, "done");
  return call->session->append(call->session, &type, call->arguments.data, call->arguments.size, nullptr,
                               error);
}

// Counts the events of a session in its trace, without any lock: never two at once for one session.
dsh_invariant counting_rule() {
  dsh_invariant counting =
      rule([](void *, const void *trace, const dsh_event *event, const dsh_error *error) {
        return *static_cast<const std::int64_t *>(trace) == event->seq
                   ? DSH_OK
                   : refuse(error, "lost count", DSH_VIOLATED);
      });
  counting.trace_size = sizeof(std::int64_t);
  counting.committed = [](void *, void *trace, const dsh_event *) { ++*static_cast<std::int64_t *>(trace); };
  return counting;
}

dsh_unit keeping_unit() {
  return unit([](void *, const dsh_str *, const dsh_event *event, const dsh_out *next, const dsh_error *) {
    write(next, from_abi(event->data));
    return std::int32_t{DSH_OK};
  });
}

struct ThreadsTest : Fixture {
  const dsh_tool tool_abi = tool(append_arguments, "set");
  const dsh_invariant rule_abi = counting_rule();
  const dsh_unit unit_abi = keeping_unit();
  const ToolDescriptor tool_descriptor{&tool_abi};
  const InvariantDescriptor rule_descriptor{&rule_abi};
  const UnitDescriptor unit_descriptor{&unit_abi};
};

TEST_F(ThreadsTest, eight_sessions_run_beside_each_other_while_registrations_come_and_go) {
  constexpr int sessions = 8;
  constexpr int calls = 300;
  constexpr int least_rounds = 10;  // of changes, which the calls go on for
  std::atomic<int> rounds{0};
  std::atomic<int> heard{0};
  add(tool_descriptor);
  add(rule_descriptor);
  add(unit_descriptor);
  const Subscription subscription =
      services.projections.subscribe([&](const ProjectionChange &) { ++heard; });
  std::atomic<int> running{sessions};
  std::atomic<int> done{0};
  std::vector<std::thread> threads;
  for (int s = 0; s < sessions; ++s) {
    threads.emplace_back([&, s] {
      const auto session = create("t" + std::to_string(s));
      for (int i = 0; i < calls || rounds < least_rounds; ++i) {
        const ToolResult result = services.tools.call("set", std::to_string(i), session.get());
        done += result.is_error ? 0 : 1;
        if (result.is_error) {
          EXPECT_EQ(result.message, "unknown tool \"set\"");
        }
        services.projections.snapshot(*session);
      }
      EXPECT_EQ(services.sessions.find(session->id()), session);
      --running;
    });
  }
  while (done == 0) std::this_thread::yield();  // for one call that meets all of them
  while (running > 0 && rounds < 2000) {
    remove(unit_descriptor);
    remove(rule_descriptor);
    remove(tool_descriptor);
    add(tool_descriptor);
    add(rule_descriptor);
    add(unit_descriptor);
    ++rounds;
  }
  for (std::thread &thread : threads) thread.join();
  std::int64_t total = 0;
  for (const auto &session : services.sessions.all()) total += session->size();
  EXPECT_EQ(total, done.load());
  EXPECT_GT(heard, 0);
  remove(rule_descriptor);
  add(rule_descriptor);  // goes through what each session holds
  EXPECT_TRUE(lines.empty()) << lines.front();
  remove(rule_descriptor);
  remove(unit_descriptor);
  remove(tool_descriptor);
}

TEST_F(ThreadsTest, eight_threads_on_one_session_take_turns) {
  add(tool_descriptor);
  add(rule_descriptor);
  add(unit_descriptor);
  const auto session = create();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i)
        EXPECT_FALSE(services.tools.call("set", std::to_string(t), session.get()).is_error);
    });
  for (std::thread &thread : threads) thread.join();
  std::int64_t expected = 0;
  std::string last;
  session->read(0, [&](const Event &event) {
    EXPECT_EQ(event.seq, expected++);
    last = event.data;
    return true;
  });
  EXPECT_EQ(expected, 800);
  EXPECT_EQ(services.projections.snapshot(*session).values.at(0).second, last);
}

TEST_F(ThreadsTest, a_session_that_is_disposed_ends_the_calls_that_wait) {
  add(tool_descriptor);
  for (int round = 0; round < 50; ++round) {
    const auto session = create("d");
    std::thread caller([&] {
      for (int i = 0; i < 20; ++i) {
        const ToolResult result = services.tools.call("set", "1", session.get());
        if (result.is_error) {
          EXPECT_EQ(result.message, "session \"d\" was disposed");
        }
      }
    });
    services.sessions.dispose("d");
    caller.join();
  }
}

TEST_F(ThreadsTest, many_threads_create_under_one_id_and_one_wins) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> won{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        const std::string error = error_of([&] { create("same"); });
        won += error.empty() ? 1 : 0;
        EXPECT_TRUE(error.empty() || error == "session \"same\" already exists") << error;
      });
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(won, 1);
    services.sessions.dispose("same");
  }
}

TEST_F(ThreadsTest, another_thread_cannot_use_a_handle_that_is_not_its_own) {
  struct State {
    std::string refusal;
  } state;
  dsh_tool abi =
      tool([](void *user, const dsh_call *call, const dsh_out *, const dsh_out *, const dsh_error *) {
        std::thread([&] {
          const dsh_str type = DSH_STR("a/b");
          ErrorSink error;
          EXPECT_EQ(call->session->append(call->session, &type, "{}", 2, nullptr, error.abi()), DSH_ERROR);
          static_cast<State *>(user)->refusal = error.error("", DSH_ERROR).what();
        }).join();
        return std::int32_t{DSH_OK};
      });
  abi.user = &state;
  const ToolDescriptor descriptor(&abi);
  add(descriptor);
  const auto session = create();
  EXPECT_FALSE(services.tools.call("tool", "{}", session.get()).is_error);
  EXPECT_THAT(state.refusal, testing::HasSubstr("outside a call that was made for it"));
  remove(descriptor);
}

}  // namespace
}  // namespace dsh::loader
