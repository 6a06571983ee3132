// The projection through the contract.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fake_host.hpp"
#include "random_json.hpp"

namespace dsh::todo::test {
namespace {

using testing::HasSubstr;
using testing::Pair;

class ProjectionTest : public testing::Test {
 protected:
  using Result = std::pair<int32_t, std::string>;  // status, what was written or the error

  ProjectionTest() {
    EXPECT_EQ(host.apply(library, parallel_config), DSH_OK) << host.error.text;
    EXPECT_TRUE(host.unit);
  }

  Result apply(std::string_view state, std::string_view type, std::string_view data) const {
    const dsh_str state_text = str_of(state);
    const dsh_event event = event_of(type, data);
    return run([&](const dsh_out *out, const dsh_error *error) {
      return unit().apply(unit().user, &state_text, &event, out, error);
    });
  }
  Result view(std::string_view state) const {
    const dsh_str text = str_of(state);
    return run([&](const dsh_out *out, const dsh_error *error) {
      return unit().view(unit().user, &text, out, error);
    });
  }
  Result restore(std::string_view stored) const {
    const dsh_str text = str_of(stored);
    return run([&](const dsh_out *out, const dsh_error *error) {
      return unit().restore(unit().user, &text, out, error);
    });
  }

  const dsh_unit &unit() const { return host.unit->unit; }

  Library library;
  FakeHost host;

 private:
  template <class Call>
  static Result run(Call &&call) {
    Sink sink;
    ErrorText error;
    const int32_t status = call(&sink.out, &error.error);
    return {status, status == DSH_OK || status == DSH_NONE ? sink.text : error.text};
  }
};

constexpr const char *one_list = R"([{"content":"a","status":"pending"}])";
constexpr const char *one_write = R"({"todos":[{"content":"a","status":"pending"}]})";

TEST_F(ProjectionTest, a_write_is_the_state_and_a_turn_clears_it) {
  EXPECT_THAT(apply("null", "todo/write", one_write), Pair(int32_t{DSH_OK}, one_list));
  EXPECT_THAT(apply(one_list, "turn/start", R"({"turn":2})"), Pair(int32_t{DSH_OK}, "null"));
  EXPECT_THAT(apply(one_list, "turn/start", "null"), Pair(int32_t{DSH_OK}, "null"));
}

TEST_F(ProjectionTest, change_goes_by_the_event_not_by_the_value) {
  EXPECT_THAT(apply(one_list, "todo/write", one_write), Pair(int32_t{DSH_OK}, one_list));
  EXPECT_THAT(apply("null", "turn/start", R"({"turn":1})"), Pair(int32_t{DSH_NONE}, ""));
  EXPECT_THAT(apply("[]", "turn/start", R"({"turn":1})"), Pair(int32_t{DSH_OK}, "null"));
  EXPECT_THAT(apply("", "turn/start", R"({"turn":1})"), Pair(int32_t{DSH_OK}, "null"));
}

TEST_F(ProjectionTest, a_list_written_empty_is_not_null) {
  EXPECT_THAT(apply("null", "todo/write", R"({"todos":[]})"), Pair(int32_t{DSH_OK}, "[]"));
  EXPECT_THAT(view("[]"), Pair(int32_t{DSH_OK}, "[]"));
  EXPECT_THAT(view("null"), Pair(int32_t{DSH_OK}, "null"));
}

TEST_F(ProjectionTest, a_logged_null_is_silent_on_null_and_news_on_a_list) {
  EXPECT_THAT(apply("null", "todo/write", R"({"todos":null})"), Pair(int32_t{DSH_NONE}, ""));
  EXPECT_THAT(apply(one_list, "todo/write", R"({"todos":null})"), Pair(int32_t{DSH_OK}, "null"));
}

TEST_F(ProjectionTest, the_state_keeps_extra_keys_and_the_view_drops_them) {
  const std::string logged =
      R"([{"id":3,"content":" a ","status":"pending"},{"content":" a ","status":"completed"}])";
  EXPECT_THAT(apply("null", "todo/write", R"({"todos":)" + logged + "}"), Pair(int32_t{DSH_OK}, logged));
  const std::string viewed =
      R"([{"content":" a ","status":"pending"},{"content":" a ","status":"completed"}])";
  EXPECT_THAT(view(logged), Pair(int32_t{DSH_OK}, viewed));
  EXPECT_THAT(restore(logged), Pair(int32_t{DSH_OK}, viewed));
}

TEST_F(ProjectionTest, a_malformed_list_is_a_state_whose_view_fails) {
  for (const char *todos : {R"("x")", "5", "true", "{}", "[null]", R"([{"content":"a"}])",
                            R"([{"content":1,"status":"pending"}])", R"([{"content":"a","status":"q"}])"}) {
    const Result next = apply(one_list, "todo/write", R"({"todos":)" + std::string(todos) + "}");
    EXPECT_THAT(next, Pair(int32_t{DSH_OK}, todos));
    const Result seen = view(next.second);
    EXPECT_EQ(seen.first, DSH_ERROR) << todos;
    EXPECT_THAT(seen.second, HasSubstr("todos"));
    EXPECT_EQ(restore(next.second).first, DSH_ERROR);
  }
}

TEST_F(ProjectionTest, data_without_a_list_is_an_undefined_state_and_null_data_none_at_all) {
  EXPECT_THAT(apply(one_list, "todo/write", "{}"), Pair(int32_t{DSH_OK}, ""));
  EXPECT_THAT(apply(one_list, "todo/write", "[]"), Pair(int32_t{DSH_OK}, ""));
  EXPECT_EQ(view("").first, DSH_ERROR);
  EXPECT_EQ(apply(one_list, "todo/write", "null").first, DSH_ERROR);
  EXPECT_EQ(apply(one_list, "todo/write", "{").first, DSH_ERROR);
}

TEST_F(ProjectionTest, a_checkpoint_of_anything_is_refused_with_a_text) {
  for (const char *stored :
       {"", "5", "\"x\"", "true", "{}", "[5]", "[", "\xFF", R"([{"content":"a","status":"done"}])"}) {
    const Result result = restore(stored);
    EXPECT_EQ(result.first, DSH_ERROR) << stored;
    EXPECT_FALSE(result.second.empty());
  }
  EXPECT_THAT(restore(" null "), Pair(int32_t{DSH_OK}, "null"));
}

TEST_F(ProjectionTest, a_sink_that_refuses_fails_the_call) {
  const dsh_str state = str_of("null");
  const dsh_event event = event_of("todo/write", one_write);
  Sink sink;
  sink.refuse_at = 0;
  sink.refusal = DSH_NO_MEMORY;
  ErrorText error;
  EXPECT_EQ(unit().apply(unit().user, &state, &event, &sink.out, &error.error), DSH_NO_MEMORY);
  EXPECT_EQ(unit().view(unit().user, &state, &sink.out, &error.error), DSH_NO_MEMORY);
  EXPECT_EQ(unit().restore(unit().user, &state, &sink.out, &error.error), DSH_NO_MEMORY);
}

TEST_F(ProjectionTest, an_event_that_ends_early_is_refused) {
  const dsh_str state = str_of("null");
  dsh_event event = event_of("todo/write", one_write);
  event.struct_size = offsetof(dsh_event, data);
  Sink sink;
  ErrorText error;
  EXPECT_EQ(unit().apply(unit().user, &state, &event, &sink.out, &error.error), DSH_ERROR);
  EXPECT_THAT(error.text, HasSubstr("dsh_event has 40 bytes"));
}

TEST_F(ProjectionTest, keeps_the_law_of_decisive_events) {
  for (std::uint32_t seed = 1; seed <= 500; ++seed) {
    RandomJson random(seed);
    random.fault_percent = 15;
    const std::string data = random.spell(random.root(), random.chance(50));
    const std::string type = random.chance(70) ? "todo/write" : "turn/start";
    std::optional<std::string> decided;
    for (const std::string &state :
         {std::string("null"), std::string(""), std::string("[]"), std::string(one_list), std::string("5"),
          random.spell(random.list(), true)}) {
      const Result next = apply(state, type, data);
      ASSERT_TRUE(next.first == DSH_OK || next.first == DSH_NONE || next.first == DSH_ERROR);
      if (next.first == DSH_ERROR) continue;
      const std::string after = next.first == DSH_OK ? next.second : state;
      if (!decided) decided = after;
      EXPECT_EQ(after, *decided) << "seed " << seed << " " << data;
    }
  }
}

}  // namespace
}  // namespace dsh::todo::test
