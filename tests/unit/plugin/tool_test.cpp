// The tool through the contract.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "fake_host.hpp"
#include "support/failing_memory.hpp"

namespace dsh::todo::test {
namespace {

using dsh::test::FailingMemory;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;

class ToolTest : public testing::Test {
 protected:
  ToolTest() {
    EXPECT_EQ(host.apply(library, single_config), DSH_OK) << host.error.text;
    EXPECT_TRUE(host.tool);
  }

  const dsh_tool &tool() const { return host.tool->tool; }
  Outcome call(std::string_view arguments) { return execute(tool(), arguments, &session.session); }

  Library library;
  FakeHost host;
  FakeSession session;
};

const std::string two_in_progress =
    R"({"todos":[{"content":" a ","status":"completed"},{"status":"in_progress","content":"b"}]})";

TEST_F(ToolTest, a_call_appends_one_event_and_answers_with_list_counts_and_sentence) {
  const Outcome outcome = call(two_in_progress);
  EXPECT_EQ(outcome.status, DSH_OK) << outcome.error;
  const std::string list = R"([{"content":"a","status":"completed"},{"content":"b","status":"in_progress"}])";
  EXPECT_THAT(session.events, ElementsAre(Pair("todo/write", R"({"todos":)" + list + "}")));
  EXPECT_EQ(outcome.value,
            R"({"todos":)" + list + R"(,"counts":{"pending":0,"inProgress":1,"completed":1}})");
  EXPECT_EQ(outcome.text, "Updated todo list: 0 pending, 1 in progress, 1 completed.");
}

TEST_F(ToolTest, an_empty_list_is_a_legal_write) {
  const Outcome outcome = call(R"({"todos":[]})");
  EXPECT_EQ(outcome.status, DSH_OK);
  EXPECT_EQ(outcome.value, R"({"todos":[],"counts":{"pending":0,"inProgress":0,"completed":0}})");
  EXPECT_EQ(outcome.text, "Updated todo list: 0 pending, 0 in progress, 0 completed.");
  EXPECT_THAT(session.events, ElementsAre(Pair("todo/write", R"({"todos":[]})")));
}

TEST_F(ToolTest, only_what_the_schema_refuses_carries_error_info) {
  const Outcome schema = call(R"({"todos":5})");
  EXPECT_EQ(schema.error, R"(invalid arguments: "todos" must be an array)");
  EXPECT_EQ(schema.error_name, "ToolArgsError");
  EXPECT_EQ(schema.error_code, "INVALID_ARGS");
  for (const char *arguments :
       {R"({"todos":[],"n":-0})", R"({"todos":[{"content":" ","status":"pending"}]})",
        R"({"todos":[{"content":"a","status":"in_progress"},{"content":"b","status":"in_progress"}]})"}) {
    const Outcome outcome = call(arguments);
    EXPECT_EQ(outcome.status, DSH_ERROR);
    EXPECT_EQ(outcome.error_name, "") << outcome.error;
    EXPECT_EQ(outcome.error_code, "");
  }
  EXPECT_THAT(session.events, IsEmpty());
}

TEST_F(ToolTest, a_failed_call_leaves_later_ones_as_they_were) {
  const std::string bad = R"({"todos":"[{\"content\":\"a\",\"status\":\"pending\"}]"})";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(call(bad).error, R"(invalid arguments: "todos" must be an array)");
  EXPECT_THAT(session.events, IsEmpty());
  EXPECT_EQ(call(two_in_progress).status, DSH_OK);
  EXPECT_EQ(session.events.size(), 1U);
}

TEST_F(ToolTest, identical_writes_are_events_of_their_own) {
  const Outcome first = call(two_in_progress);
  for (int i = 1; i < 500; ++i) EXPECT_EQ(call(two_in_progress).value, first.value);
  EXPECT_EQ(session.events.size(), 500U);
  EXPECT_EQ(session.events.front(), session.events.back());
}

/// Arguments with the faults that `bits` names, the checks in their order.
std::string with_faults(unsigned bits) {
  std::string items = R"({"content":"sound","status":"pending"})";
  if ((bits & 16U) != 0)
    items += R"(,{"content":"p","status":"in_progress"},{"content":"q","status":"in_progress"})";
  if ((bits & 4U) != 0) items += R"(,{"content":" ","status":"pending"})";
  if ((bits & 8U) != 0) items += R"(,{"content":"sound\t","status":"pending"})";
  if ((bits & 2U) != 0) items += R"(,{"content":"s","status":"done"})";
  return R"({"todos":[)" + items + "]" + ((bits & 1U) != 0 ? R"(,"n":1e999)" : "") + "}";
}

TEST_F(ToolTest, of_all_faults_together_the_first_check_decides) {
  const char *const texts[] = {"tool execution arguments must be losslessly JSON-serializable",
                               "invalid arguments: ",
                               "invalid todo: ",
                               "invalid todos: duplicate content ",
                               "invalid todos: at most one task",
                               "todo_write requires an owning agent session",
                               "the disk is full"};
  for (unsigned bits = 1; bits < 128; ++bits) {
    const bool owned = (bits & 32U) == 0;
    session.status = (bits & 64U) != 0 ? DSH_ERROR : DSH_OK;
    const Outcome outcome = execute(tool(), with_faults(bits), owned ? &session.session : nullptr);
    unsigned first = 0;
    while ((bits >> first & 1U) == 0) ++first;
    EXPECT_EQ(outcome.status, DSH_ERROR);
    EXPECT_THAT(outcome.error, StartsWith(texts[first])) << bits;
  }
  EXPECT_THAT(session.events, IsEmpty());
}

TEST_F(ToolTest, what_append_refuses_is_told_in_the_hosts_words) {
  for (const int32_t status : {+DSH_ERROR, +DSH_NO_MEMORY, +DSH_VIOLATED, 99}) {
    session.status = status;
    const Outcome outcome = call(two_in_progress);
    EXPECT_EQ(outcome.status, status);
    EXPECT_EQ(outcome.error, "the disk is full");
    EXPECT_EQ(outcome.error_name, "Refusal");
    EXPECT_EQ(outcome.error_code, "REFUSED");
  }
  session.status = DSH_NONE;
  EXPECT_EQ(call(two_in_progress).status, DSH_ERROR);
  session.status = DSH_OK;
  EXPECT_EQ(call(two_in_progress).status, DSH_OK);
}

TEST_F(ToolTest, a_sink_that_refuses_fails_the_call_before_anything_is_appended) {
  for (const bool value_refuses : {true, false}) {
    for (const int32_t refusal : {+DSH_ERROR, +DSH_NO_MEMORY, 42}) {
      dsh_call call{};
      call.struct_size = sizeof call;
      call.arguments = str_of(two_in_progress);
      call.session = &session.session;
      Sink value;
      Sink text;
      ErrorText error;
      (value_refuses ? value : text).refuse_at = 0;
      (value_refuses ? value : text).refusal = refusal;
      EXPECT_EQ(tool().execute(tool().user, &call, &value.out, &text.out, &error.error), refusal);
      EXPECT_THAT(session.events, IsEmpty());
    }
  }
}

TEST_F(ToolTest, value_and_text_are_written_in_one_piece_each) {
  dsh_call call{};
  call.struct_size = sizeof call;
  call.arguments = str_of(two_in_progress);
  call.session = &session.session;
  Sink value;
  Sink text;
  ErrorText error;
  ASSERT_EQ(tool().execute(tool().user, &call, &value.out, &text.out, &error.error), DSH_OK);
  EXPECT_EQ(value.writes, 1);
  EXPECT_EQ(text.writes, 1);
}

TEST_F(ToolTest, a_call_inside_an_append_does_not_disturb_the_outer_one) {
  FakeSession inner;
  session.on_append = [&] {
    EXPECT_EQ(execute(tool(), R"({"todos":[{"content":"inner","status":"pending"}]})", &inner.session).status,
              DSH_OK);
  };
  const Outcome outcome = call(two_in_progress);
  EXPECT_THAT(session.events.at(0).second, HasSubstr(R"("content":"b")"));
  EXPECT_THAT(inner.events.at(0).second, HasSubstr("inner"));
  EXPECT_THAT(outcome.value, HasSubstr(R"("inProgress":1)"));
}

TEST_F(ToolTest, bytes_that_are_no_utf8_are_refused_and_never_stored) {
  const Outcome outcome = call("{\"todos\":[{\"content\":\"a\xC3\x28\",\"status\":\"pending\"}]}");
  EXPECT_EQ(outcome.status, DSH_ERROR);
  EXPECT_THAT(outcome.error, HasSubstr("is not UTF-8 (byte 23)"));
  EXPECT_THAT(session.events, IsEmpty());
}

TEST_F(ToolTest, a_message_may_hold_nul) {
  const Outcome outcome = call(R"({"todos":[{"content":"a","status":"pending","k\u0000ey":1}]})");
  EXPECT_THAT(outcome.error, HasSubstr(std::string("todos[0].k\0ey", 13)));
}

TEST_F(ToolTest, empty_arguments_may_have_no_address) {
  dsh_call call{};
  call.struct_size = sizeof call;
  Sink value;
  Sink text;
  ErrorText error;
  EXPECT_EQ(tool().execute(tool().user, &call, &value.out, &text.out, &error.error), DSH_ERROR);
  EXPECT_EQ(error.text, R"(invalid arguments: missing required property "todos")");
}

TEST_F(ToolTest, a_call_or_session_that_ends_early_is_refused_with_both_sizes) {
  dsh_call call{};
  call.arguments = str_of(two_in_progress);
  call.session = &session.session;
  call.struct_size = offsetof(dsh_call, session);
  Sink value;
  Sink text;
  ErrorText error;
  EXPECT_EQ(tool().execute(tool().user, &call, &value.out, &text.out, &error.error), DSH_ERROR);
  EXPECT_EQ(error.text, "the host's dsh_call has 40 bytes, this plugin needs 48: it takes a newer host");

  call.struct_size = sizeof call;
  session.session.struct_size = offsetof(dsh_session, append);
  EXPECT_EQ(tool().execute(tool().user, &call, &value.out, &text.out, &error.error), DSH_ERROR);
  EXPECT_EQ(error.text, "the host's dsh_session has 32 bytes, this plugin needs 48: it takes a newer host");
}

TEST_F(ToolTest, out_of_memory_is_a_status_and_nothing_is_appended) {
  // Values that take every road: accepted at once, accepted after a closer look, refused.
  const std::string arguments[] = {
      two_in_progress, R"({"x":[1,{"2":"\ud800"}],"todos":[{"content":"\u00e9","status":"pending"}]})",
      R"({"todos":[{"content":"a","status":"pending","z":1,"1":2}]})",
      R"({"todos":[{"content":"a long enough content to need the heap","status":"pending"},)"
      R"({"content":"a long enough content to need the heap","status":"pending"}]})"};
  for (const std::string &text : arguments) {
    const Outcome expected = call(text);
    session.events.clear();
    session.events.reserve(4);
    for (int passing = 0;; ++passing) {
      dsh_call call{};
      call.struct_size = sizeof call;
      call.arguments = str_of(text);
      call.session = &session.session;
      Sink value;
      Sink answer;
      ErrorText error;
      session.on_append = nullptr;
      session.status = DSH_ERROR;  // reached only where all memory was found
      session.refusal = "appending";
      value.text.reserve(4096);
      answer.text.reserve(4096);
      error.text.reserve(4096);
      error.name.reserve(64);
      error.code.reserve(64);
      int32_t status = DSH_OK;
      bool met = false;
      {
        const FailingMemory memory(passing);
        status = tool().execute(tool().user, &call, &value.out, &answer.out, &error.error);
        met = memory.met();
      }
      if (!met) {
        EXPECT_EQ(error.text, expected.status == DSH_OK ? "appending" : expected.error);
        break;
      }
      EXPECT_EQ(status, DSH_NO_MEMORY) << text << " " << passing;
    }
    session.status = DSH_OK;
  }
}

TEST_F(ToolTest, render_says_a_value_again) {
  const auto render = [&](std::string_view value, ErrorText &error) {
    const dsh_str arguments = str_of("{}");
    const dsh_str value_text = str_of(value);
    Sink text;
    const int32_t status = tool().render(tool().user, &arguments, &value_text, &text.out, &error.error);
    return std::pair(status, text.text);
  };
  ErrorText error;
  EXPECT_THAT(render(call(two_in_progress).value, error),
              Pair(int32_t{DSH_OK}, "Updated todo list: 0 pending, 1 in progress, 1 completed."));
  EXPECT_THAT(render(R"({"counts":{"completed":3,"pending":1,"inProgress":2},"todos":[]})", error),
              Pair(int32_t{DSH_OK}, "Updated todo list: 1 pending, 2 in progress, 3 completed."));
  EXPECT_EQ(render("null", error).first, DSH_ERROR);
  EXPECT_EQ(error.text, "the value of the call has no count at counts.pending");
}

TEST_F(ToolTest, present_draws_the_list_as_sent_or_no_card) {
  const auto present = [&](std::string_view arguments) {
    const dsh_str text = str_of(arguments);
    Sink card;
    ErrorText error;
    const int32_t status = tool().present(tool().user, &text, &card.out, &error.error);
    return std::pair(status, card.text);
  };
  const std::string head = R"({"card":"generic","title":"Update todo list","kind":"other","rawInput":)";
  EXPECT_THAT(
      present(two_in_progress),
      Pair(int32_t{DSH_OK},
           head + R"([{"content":" a ","status":"completed"},{"status":"in_progress","content":"b"}]})"));
  EXPECT_THAT(present(R"({"todos":[]})"), Pair(int32_t{DSH_OK}, head + "[]}"));
  for (const char *none : {"", "{}", R"({"todos":"no"})", "null", "text", "\xFF",
                           R"({"todos":[{"content":"a","status":"pending","x":1}]})"})
    EXPECT_THAT(present(none), Pair(int32_t{DSH_NONE}, "")) << none;
}

TEST_F(ToolTest, one_instance_serves_many_threads) {
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<FakeSession>> sessions;
  for (int t = 0; t < 8; ++t) sessions.push_back(std::make_unique<FakeSession>());
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      const std::string content = "thread " + std::to_string(t);
      for (int i = 0; i < 200; ++i) {
        const std::string arguments = R"({"todos":[{"content":")" + content + R"(","status":"pending"}]})";
        EXPECT_EQ(execute(tool(), arguments, &sessions[static_cast<std::size_t>(t)]->session).status, DSH_OK);
        EXPECT_EQ(execute(tool(), R"({"todos":[{}]})", nullptr).status, DSH_ERROR);
      }
    });
  for (std::thread &thread : threads) thread.join();
  for (int t = 0; t < 8; ++t) {
    const auto &events = sessions[static_cast<std::size_t>(t)]->events;
    ASSERT_EQ(events.size(), 200U);
    for (const auto &event : events) EXPECT_THAT(event.second, HasSubstr("thread " + std::to_string(t)));
  }
}

}  // namespace
}  // namespace dsh::todo::test
