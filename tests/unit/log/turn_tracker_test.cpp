#include "log/turn_tracker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "log/log_line.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Given {
  const char *type;
  const char *data;
};

/// "tool/result 4 c1 TOOL_NOT_STARTED []": what closes a log of these events.
std::vector<std::string> closers(const std::vector<Given> &events) {
  TurnTracker turns;
  std::int64_t seq = 0;
  for (const Given &given : events) {
    turns.follow({seq, 100 + seq, given.type, given.data, {}, {}});
    ++seq;
  }
  const std::int64_t last_time = 100 + seq - 1;
  std::vector<std::string> texts;
  for (const OwnedEvent &closer : turns.closers()) {
    EXPECT_EQ(closer.seq, seq++);
    EXPECT_EQ(closer.time, last_time);
    EXPECT_EQ(closer.surface_op, closer.type == "tool/result" ? R"("append")" : "");
    std::string text = closer.type + " " + closer.data;
    if (closer.type == "tool/result")
      text = closer.type +
             (closer.data.find("TOOL_NOT_STARTED") == std::string::npos ? " unknown " : " not started ") +
             closer.data.substr(0, closer.data.find(",\"message\"")) + " " +
             closer.data.substr(closer.data.find("\"callId\""), 13) + " " + closer.source_event_seqs;
    texts.push_back(text);
  }
  return texts;
}

constexpr Given turn_start = {"turn/start", R"({"turn":4})"};
constexpr Given step_start = {"step/start", R"({"turn":4,"step":2})"};
constexpr Given two_calls = {
    "assistant/message",
    R"({"turn":4,"step":2,"message":{"content":[{"type":"text","id":"no"},{"type":"tool-call","id":"c1"},{"type":"tool-call","id":"c2"}]}})"};
constexpr Given first_call = {"tool/call", R"({"turn":4,"step":2,"callId":"c1"})"};
constexpr const char *turn_end = R"(turn/end {"turn":4,"reason":{"kind":"interrupted"}})";
constexpr const char *step_end = R"(step/end {"turn":4,"step":2})";

TEST(TurnTracker, closes_nothing_where_no_turn_is_open) {
  EXPECT_THAT(closers({}), IsEmpty());
  EXPECT_THAT(closers({step_start, two_calls}), IsEmpty());
  EXPECT_THAT(closers({turn_start, step_start, first_call, {"turn/end", "{}"}}), IsEmpty());
}

TEST(TurnTracker, closes_the_turn_and_the_step_that_are_open) {
  EXPECT_THAT(closers({turn_start}), ElementsAre(turn_end));
  EXPECT_THAT(closers({turn_start, step_start}), ElementsAre(step_end, turn_end));
  EXPECT_THAT(closers({turn_start, step_start, {"step/end", "{}"}}), ElementsAre(turn_end));
  EXPECT_THAT(closers({turn_start, turn_start, {"turn/end", "{}"}}), IsEmpty())
      << "one end for nested starts";
}

TEST(TurnTracker, numbers_that_the_log_lacks_are_counted) {
  EXPECT_THAT(closers({turn_start, {"turn/end", "{}"}, {"turn/start", "{}"}, {"step/start", "null"}}),
              ElementsAre(R"(step/end {"turn":5,"step":1})",
                          R"(turn/end {"turn":5,"reason":{"kind":"interrupted"}})"));
}

TEST(TurnTracker, numbers_are_read_as_javascript_reads_them) {
  EXPECT_THAT(closers({{"turn/start", R"({"turn":5.0})"}, {"step/start", R"({"turn":5.0,"step":2e0})"}}),
              ElementsAre(R"(step/end {"turn":5,"step":2})",
                          R"(turn/end {"turn":5,"reason":{"kind":"interrupted"}})"));
}

TEST(TurnTracker, numbers_that_cannot_be_counted_on_from_are_counted) {
  for (const char *number : {"9223372036854775807", "9007199254740992", "9007199254740991", "1e999", "-1",
                             "-0", "2.5", "\"2\"", "[ 1 ]", "null"}) {
    const std::string turn = std::string(R"({"turn":)") + number + "}";
    const std::string step = std::string(R"({"step":)") + number + "}";
    EXPECT_THAT(closers({turn_start,
                         {"turn/end", "{}"},
                         {"turn/start", turn.c_str()},
                         {"step/start", step.c_str()},
                         {"tool/call", R"({"callId":"c1","step":1e99})"}}),
                ElementsAre(R"(tool/result unknown {"turn":5,"step":1 "callId":"c1" [4])",
                            R"(step/end {"turn":5,"step":1})",
                            R"(turn/end {"turn":5,"reason":{"kind":"interrupted"}})"))
        << number;
  }
}

TEST(TurnTracker, a_call_is_answered_whatever_the_spelling_of_its_id) {
  EXPECT_THAT(closers({turn_start,
                       step_start,
                       {"tool/call", R"({"callId":"c\u00e9"})"},
                       {"tool/result", "{\"callId\":\"c\u00e9\"}"}}),
              ElementsAre(step_end, turn_end));
  EXPECT_THAT(closers({turn_start,
                       step_start,
                       {"assistant/message", R"({"content":[{"type":"tool-call","id":"\u0063x"}]})"},
                       {"tool/call", R"({"callId":"cx"})"}}),
              ElementsAre(HasSubstr("\"callId\":\"cx\""), step_end, turn_end))
      << "one call, not two";
}

TEST(TurnTracker, a_call_whose_step_was_ended_is_answered_too) {
  EXPECT_THAT(closers({turn_start,
                       step_start,
                       two_calls,
                       first_call,
                       {"step/end", "{}"},
                       {"step/start", R"({"step":3})"}}),
              ElementsAre(R"(tool/result unknown {"turn":4,"step":2 "callId":"c1" [3])",
                          R"(tool/result not started {"turn":4,"step":2 "callId":"c2" )",
                          R"(step/end {"turn":4,"step":3})", turn_end));
}

TEST(TurnTracker, of_nested_turns_every_call_is_answered_and_of_ended_ones_none) {
  EXPECT_THAT(closers({turn_start, first_call, {"turn/start", R"({"turn":5})"}}),
              ElementsAre(HasSubstr("\"callId\":\"c1\""), HasSubstr("turn/end {\"turn\":5")));
  EXPECT_THAT(closers({turn_start, first_call, {"turn/end", "{}"}, turn_start}), ElementsAre(turn_end));
  EXPECT_THAT(closers({first_call, turn_start}), ElementsAre(turn_end)) << "it began outside";
}

TEST(TurnTracker, each_call_without_a_result_gets_one_that_tells_whether_it_was_started) {
  EXPECT_THAT(
      closers({turn_start, step_start, two_calls, first_call}),
      ElementsAre(R"(tool/result unknown {"turn":4,"step":2 "callId":"c1" [3])",
                  R"(tool/result not started {"turn":4,"step":2 "callId":"c2" )", step_end, turn_end));
}

TEST(TurnTracker, results_in_either_shape_answer_their_call) {
  for (const char *result : {R"({"callId":"c1"})", R"({"message":{"source":{"kind":"tool","callId":"c1"}}})"})
    EXPECT_THAT(closers({turn_start, step_start, two_calls, first_call, {"tool/result", result}}),
                ElementsAre(HasSubstr("c2"), step_end, turn_end));
  EXPECT_THAT(closers({turn_start, step_start, two_calls, first_call, {"tool/result", R"({"callId":"c9"})"}}),
              ElementsAre(HasSubstr("c1"), HasSubstr("c2"), step_end, turn_end));
}

TEST(TurnTracker, malformed_data_names_no_call) {
  EXPECT_THAT(closers({turn_start,
                       {"assistant/message", "[]"},
                       {"assistant/message", R"({"content":[{"type":"tool-call","id":7},null]})"},
                       {"tool/call", R"({"callId":7})"},
                       {"tool/result", "null"}}),
              ElementsAre(turn_end));
}

}  // namespace
}  // namespace dsh::loader
