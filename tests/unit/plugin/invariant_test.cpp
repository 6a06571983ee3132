// The invariant through the contract.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fake_host.hpp"

namespace dsh::todo::test {
namespace {

using testing::HasSubstr;
using testing::Pair;

class InvariantTest : public testing::Test {
 protected:
  InvariantTest() {
    EXPECT_EQ(host.apply(library, parallel_config), DSH_OK) << host.error.text;
    EXPECT_TRUE(host.invariant);
    trace.assign(host.invariant->invariant.trace_size, '\0');
  }

  const dsh_invariant &invariant() const { return host.invariant->invariant; }

  /// Status and text of the check; the trace stays as it is.
  std::pair<int32_t, std::string> check(std::string_view type, std::string_view data) const {
    const dsh_event event = event_of(type, data);
    ErrorText error;
    const int32_t status = invariant().check(invariant().user, trace.data(), &event, &error.error);
    return {status, error.text};
  }

  void commit(std::string_view type, std::string_view data = "{}") {
    const dsh_event event = event_of(type, data);
    invariant().committed(invariant().user, trace.data(), &event);
  }

  Library library;
  FakeHost host;
  std::string trace;
};

constexpr const char *one_write = R"({"todos":[{"content":"a","status":"pending"}]})";
const std::pair<int32_t, std::string> passes{DSH_OK, ""};
const std::pair<int32_t, std::string> outside_a_turn{DSH_VIOLATED,
                                                     "todo/write appended outside any open turn"};

TEST_F(InvariantTest, a_write_stands_in_an_open_turn) {
  EXPECT_EQ(check("todo/write", one_write), outside_a_turn);
  commit("turn/start");
  EXPECT_EQ(check("todo/write", one_write), passes);
  commit("todo/write", one_write);
  EXPECT_EQ(check("todo/write", one_write), passes);
  commit("turn/end");
  EXPECT_EQ(check("todo/write", one_write), outside_a_turn);
}

TEST_F(InvariantTest, one_end_closes_any_number_of_starts) {
  commit("turn/start", R"({"turn":1})");
  commit("turn/start", R"({"turn":2})");
  commit("turn/end", R"({"turn":1})");
  EXPECT_EQ(check("todo/write", one_write), outside_a_turn);
  commit("turn/end");
  commit("turn/start", "null");
  EXPECT_EQ(check("todo/write", one_write), passes);
}

TEST_F(InvariantTest, checking_moves_nothing) {
  EXPECT_EQ(check("turn/start", R"({"turn":1})"), passes);
  EXPECT_EQ(check("todo/write", one_write), outside_a_turn);
  commit("turn/start");
  EXPECT_EQ(check("turn/end", "{}"), passes);
  EXPECT_EQ(check("todo/write", one_write), passes);
}

TEST_F(InvariantTest, turns_themselves_are_never_judged) {
  for (const char *data : {"null", "{}", "5", "nonsense"}) {
    EXPECT_EQ(check("turn/start", data), passes);
    EXPECT_EQ(check("turn/end", data), passes);
    EXPECT_EQ(check("some/other", data), passes);
  }
}

TEST_F(InvariantTest, the_shape_is_judged_before_the_turn) {
  EXPECT_THAT(check("todo/write", R"({"todos":7})"),
              Pair(int32_t{DSH_VIOLATED}, "todo/write todos must be an array"));
  EXPECT_THAT(check("todo/write", R"({"todos":[{"content":"a ","status":"pending"}]})"),
              Pair(int32_t{DSH_VIOLATED}, "todo/write content must be non-empty and already trimmed"));
  EXPECT_THAT(check("todo/write", R"({"todos":[{"content":"a","status":{"toJSON":1,"2":-0.0}}]})"),
              Pair(int32_t{DSH_VIOLATED}, R"(todo/write carries unknown status {"2":0,"toJSON":1})"));
}

TEST_F(InvariantTest, several_items_in_progress_are_no_matter_of_the_log) {
  commit("turn/start");
  EXPECT_EQ(
      check("todo/write",
            R"({"todos":[{"content":"a","status":"in_progress"},{"content":"b","status":"in_progress"}]})"),
      passes);
}

TEST_F(InvariantTest, what_cannot_be_judged_is_a_breakdown_not_a_violation) {
  commit("turn/start");
  for (const char *data : {"null", "", "{", "\xFF"}) {
    const auto [status, text] = check("todo/write", data);
    EXPECT_EQ(status, DSH_ERROR) << data;
    EXPECT_THAT(text, HasSubstr("todo/write data"));
  }
}

TEST_F(InvariantTest, an_event_that_ends_early_breaks_down_and_moves_nothing) {
  dsh_event event = event_of("turn/start", "{}");
  event.struct_size = offsetof(dsh_event, data);
  ErrorText error;
  EXPECT_EQ(invariant().check(invariant().user, trace.data(), &event, &error.error), DSH_ERROR);
  EXPECT_THAT(error.text, HasSubstr("dsh_event has 40 bytes"));
  invariant().committed(invariant().user, trace.data(), &event);
  EXPECT_EQ(check("todo/write", one_write), outside_a_turn);
}

TEST_F(InvariantTest, a_trace_is_plain_bytes_that_can_be_copied) {
  commit("turn/start");
  const std::string copy = trace;
  commit("turn/end");
  trace = copy;
  EXPECT_EQ(check("todo/write", one_write), passes);
  EXPECT_LE(host.invariant->invariant.trace_size, 8U);
}

}  // namespace
}  // namespace dsh::todo::test
