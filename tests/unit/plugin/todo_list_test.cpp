#include "todo_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "copied_lists.hpp"
#include "json_value.hpp"
#include "refusal.hpp"

namespace dsh::todo {
namespace {

using test::logged_list;
using test::standing_list;
using testing::HasSubstr;
using testing::StartsWith;

std::string item(const std::string &content, const std::string &status = "pending") {
  return R"({"content":")" + content + R"(","status":")" + status + R"("})";
}

std::string todos(const std::string &items) { return R"({"todos":[)" + items + "]}"; }

std::string call(std::string_view arguments, bool allow_parallel = true) {
  try {
    return read_call(arguments, allow_parallel).data;
  } catch (const SchemaRefusal &refusal) {
    return "schema: " + refusal.text();
  } catch (const Refusal &refusal) {
    return refusal.text();
  }
}

const std::string no_object = R"(schema: invalid arguments: "arguments" must be an object)";
const std::string lossy = "tool execution arguments must be losslessly JSON-serializable";
const std::string blank = "invalid todo: `content` must be a non-empty string";

TEST(ReadCall, keeps_order_trims_contents_and_counts_statuses) {
  const WrittenList list =
      read_call(todos(item(" first ", "completed") + "," + item("second", "in_progress") + "," +
                      item("\\u0061\\tb") + "," + item("d")),
                true);
  EXPECT_EQ(list.data, todos(item("first", "completed") + "," + item("second", "in_progress") + "," +
                             item("a\\tb") + "," + item("d")));
  EXPECT_EQ(list.counts, (Counts{2, 1, 1}));
}

TEST(ReadCall, an_empty_list_is_a_list) {
  EXPECT_EQ(call(R"({"todos":[]})"), R"({"todos":[]})");
  EXPECT_EQ(read_call(R"({"todos":[]})", true).counts, Counts());
}

TEST(ReadCall, empty_text_is_an_empty_object) {
  EXPECT_EQ(call(""), R"(schema: invalid arguments: missing required property "todos")");
}

TEST(ReadCall, text_that_is_no_json_object_is_refused) {
  for (const char *text :
       {" ", "\n", "null", "true", "5", "\"a\"", "[]", "{", "{\"todos\":[]}x", "\xEF\xBB\xBF{}",
        "\xC2\xA0{\"todos\":[]}", "{'todos':[]}", "[{\"todos\":[]}]", "todos: []"})
    EXPECT_EQ(call(text), no_object) << text;
}

TEST(ReadCall, a_list_sent_as_text_is_refused) {
  EXPECT_EQ(call(R"({"todos":"[{\"content\":\"a\",\"status\":\"pending\"}]"})"),
            R"(schema: invalid arguments: "todos" must be an array)");
  EXPECT_EQ(call(R"({"todos":"not json"})"), R"(schema: invalid arguments: "todos" must be an array)");
}

TEST(ReadCall, a_wrong_key_name_leaves_the_list_missing) {
  EXPECT_EQ(call(R"({"items":[{"content":"x","status":"pending"}]})"),
            R"(schema: invalid arguments: missing required property "todos")");
}

TEST(ReadCall, unknown_root_keys_pass_and_unknown_item_keys_do_not) {
  EXPECT_EQ(call(R"({"note":{"deep":[1]},"todos":[],"":0})"), R"({"todos":[]})");
  EXPECT_EQ(
      call(R"({"todos":[{"content":"x","description":"see main.cpp","status":"pending"}]})"),
      R"(schema: invalid arguments: "todos[0].description" is not a declared property (additionalProperties: false))");
}

TEST(ReadCall, another_dialect_of_statuses_is_refused_with_the_three_words) {
  for (const char *status : {"done", "active", "failed", "unknown", "Pending", "pending ", "", "in-progress"})
    EXPECT_EQ(
        call(todos(item("a") + "," + item("b", status) + "," + item("c"))),
        R"(schema: invalid arguments: "todos[1].status" must be one of ["pending","in_progress","completed"])");
}

TEST(ReadCall, all_violations_are_told_in_the_order_of_the_schema) {
  EXPECT_EQ(call(R"({"todos":[{"z":1,"10":1,"status":5,"2":1},"text",null,[],{},{"content":1,"status":"x"},)"
                 R"({"content":"ok","status":"pending"}]})"),
            "schema: invalid arguments: missing required property \"todos[0].content\"; "
            "\"todos[0].status\" must be a string; "
            "\"todos[0].2\" is not a declared property (additionalProperties: false); "
            "\"todos[0].10\" is not a declared property (additionalProperties: false); "
            "\"todos[0].z\" is not a declared property (additionalProperties: false); "
            "\"todos[1]\" must be an object; \"todos[2]\" must be an object; \"todos[3]\" must be an object; "
            "missing required property \"todos[4].content\"; missing required property \"todos[4].status\"; "
            "\"todos[5].content\" must be a string; "
            "\"todos[5].status\" must be one of [\"pending\",\"in_progress\",\"completed\"]");
}

TEST(ReadCall, key_names_stand_raw_in_the_message) {
  const std::string key = std::string("q\"\\") + '\0' + "\xED\xA0\x80";
  EXPECT_EQ(call(R"({"todos":[{"content":"a","status":"pending","q\"\\\u0000\ud800":1}]})"),
            "schema: invalid arguments: \"todos[0]." + key +
                "\" is not a declared property (additionalProperties: false)");
}

TEST(ReadCall, a_blank_content_is_refused_whatever_the_blank) {
  for (const char *content : {"", " ", "\\t\\n", "\\u00a0", "\\ufeff\\u3000", "\xE2\x80\xA8"})
    EXPECT_EQ(call(todos(item("a") + "," + item(content))), blank) << content;
  EXPECT_NE(call(todos(item("\\u200b"))), blank);
  EXPECT_NE(call(todos(item("\\u0000"))), blank);
}

TEST(ReadCall, duplicates_are_found_under_every_spelling) {
  const std::string first = item("a/\\u00e9");
  for (const char *again :
       {"a/\\u00e9", "a\\/\\u00E9", "\\u0061/\xC3\xA9", " a/\xC3\xA9 ", "\\u0061\\u002f\\u00e9\\n"})
    EXPECT_EQ(call(todos(first + "," + item(again, "completed"))),
              "invalid todos: duplicate content \"a/\xC3\xA9\"")
        << again;
}

TEST(ReadCall, what_differs_in_case_form_or_inner_spacing_is_no_duplicate) {
  for (const char *other : {"A/\\u00e9", "a/e\\u0301", "a /\\u00e9", "a/\\u00e9.", "a/\\u00e9\\u200b"})
    EXPECT_THAT(call(todos(item("a/\\u00e9") + "," + item(other))), StartsWith("{")) << other;
}

TEST(ReadCall, the_duplicate_is_quoted_as_json_stringify_does) {
  EXPECT_EQ(call(todos(item("\\ud800\\u0001\\\"\xF0\x9F\x98\x80") + "," +
                       item("\\uD800\\u0001\\u0022\\ud83d\\ude00"))),
            "invalid todos: duplicate content \"\\ud800\\u0001\\\"\xF0\x9F\x98\x80\"");
}

TEST(ReadCall, an_escaped_backslash_is_no_line_break) {
  EXPECT_EQ(call(todos(item("a\\\\nb"))), todos(item("a\\\\nb")));
}

TEST(ReadCall, more_than_one_in_progress_depends_on_the_flag) {
  const std::string three =
      todos(item("a", "in_progress") + "," + item("b", "in_progress") + "," + item("c", "in_progress"));
  EXPECT_EQ(call(three, true), three);
  EXPECT_EQ(call(three, false), "invalid todos: at most one task may be in_progress (got 3)");
  const std::string one = todos(item("a", "completed") + "," + item("b", "in_progress"));
  EXPECT_EQ(call(one, false), one);
}

TEST(ReadCall, numbers_that_json_cannot_say_are_refused_wherever_they_stand) {
  for (const char *number : {"-0", "-0.0", "-1e-400", "1e999", "-1e999"}) {
    EXPECT_EQ(call(R"({"note":[{"x":)" + std::string(number) + R"(}],"todos":[]})"), lossy) << number;
    EXPECT_EQ(call(number), lossy) << number;
  }
  EXPECT_EQ(call(R"({"note":-0,"todos":[],"note":1})"), R"({"todos":[]})");
  EXPECT_EQ(call(R"({"todos":-0,"todos":[]})"), R"({"todos":[]})");
  EXPECT_EQ(call(R"({"todos":[],"note":0,"note":-0})"), lossy);
}

TEST(ReadCall, of_duplicate_keys_the_last_one_counts) {
  EXPECT_EQ(
      call(R"({"todos":5,"todos":[{"content":"a","status":"x","\u0073tatus":"pending","content":"b"}]})"),
      todos(item("b")));
}

/// One way to break each check, from the first to the last; the list is otherwise sound.
struct Faults {
  bool lossy, schema, blank, duplicate, parallel;
};

std::string with_faults(const Faults &faults) {
  std::string items;
  const auto add = [&](const std::string &text) { items += (items.empty() ? "" : ",") + text; };
  // In the order that would betray a check that stops too early: later checks' faults stand first.
  if (faults.parallel) add(item("p", "in_progress") + "," + item("q", "in_progress"));
  add(item("sound"));
  if (faults.blank) add(item("  "));
  if (faults.duplicate) add(item("sound "));
  if (faults.schema) add(item("s", "done"));
  return R"({"todos":[)" + items + "]" + (faults.lossy ? R"(,"n":-0)" : "") + "}";
}

TEST(ReadCall, of_several_faults_the_first_check_decides) {
  for (unsigned bits = 0; bits < 32; ++bits) {
    const Faults faults{(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0, (bits & 8U) != 0,
                        (bits & 16U) != 0};
    const std::string text = with_faults(faults);
    const std::string outcome = call(text, false);
    if (faults.lossy)
      EXPECT_EQ(outcome, lossy) << text;
    else if (faults.schema)
      EXPECT_THAT(outcome, StartsWith("schema: invalid arguments: \"todos[")) << text;
    else if (faults.blank)
      EXPECT_EQ(outcome, blank) << text;
    else if (faults.duplicate)
      EXPECT_EQ(outcome, "invalid todos: duplicate content \"sound\"") << text;
    else if (faults.parallel)
      EXPECT_EQ(outcome, "invalid todos: at most one task may be in_progress (got 2)") << text;
    else
      EXPECT_THAT(outcome, StartsWith("{")) << text;
  }
}

TEST(ReadCall, per_item_the_first_fault_of_the_first_item_decides) {
  EXPECT_EQ(call(todos(item("a") + "," + item("a") + "," + item(""))),
            "invalid todos: duplicate content \"a\"");
  EXPECT_EQ(call(todos(item("a") + "," + item("") + "," + item("a"))), blank);
}

TEST(ReadCall, bytes_that_are_no_utf8_are_refused_and_named) {
  EXPECT_EQ(call("{\"todos\":[{\"content\":\"\xFF\",\"status\":\"pending\"}]}"),
            "the text of the arguments is not UTF-8 (byte 22)");
  EXPECT_EQ(call("\x80"), "the text of the arguments is not UTF-8 (byte 0)");
}

TEST(ReadCall, depth_is_bounded_and_the_bound_named) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(call(R"({"note":)" + nested(3000) + R"(,"todos":[]})"), R"({"todos":[]})");
  EXPECT_EQ(call(R"({"note":)" + nested(4999) + R"(,"todos":[]})"), R"({"todos":[]})");
  EXPECT_EQ(call(R"({"note":)" + nested(5000) + R"(,"todos":[]})"),
            "the text of the arguments nests 5001 levels deep, the bound is 5000");
}

TEST(ReadCall, long_contents_and_long_padding_pass) {
  const std::string text(100000, 'x');
  EXPECT_EQ(call(todos(item(std::string(50000, ' ') + text + std::string(50000, ' ')))), todos(item(text)));
}

TEST(ReadSentList, is_the_list_as_sent) {
  EXPECT_EQ(read_sent_list(
                R"({ "todos" : [ {"status":"completed", "content":" padded \u0041"} ], "extra": 1e999 })"),
            R"([{"status":"completed","content":" padded A"}])");
  EXPECT_EQ(read_sent_list(todos(item("dup") + "," + item("dup"))),
            "[" + item("dup") + "," + item("dup") + "]");
  for (const char *none : {"", "{}", "null", "text", R"({"todos":"no"})", "\xFF",
                           R"({"todos":[{"content":"a","status":"pending","x":1}]})"})
    EXPECT_EQ(read_sent_list(none), std::nullopt) << none;
}

TEST(ReadCounts, takes_whole_counts_and_nothing_else) {
  EXPECT_EQ(read_counts(R"({"todos":[],"counts":{"pending":1,"inProgress":2.0,"completed":3}})"),
            (Counts{1, 2, 3}));
  for (const char *value :
       {"{}", "null", "5", R"({"counts":5})", R"({"counts":{"pending":1,"inProgress":2}})", "nonsense",
        R"({"counts":{"pending":-1,"inProgress":2,"completed":3}})",
        R"({"counts":{"pending":1.5,"inProgress":2,"completed":3}})",
        R"({"counts":{"pending":1e300,"inProgress":2,"completed":3}})",
        R"({"counts":{"pending":1e999,"inProgress":2,"completed":3}})",
        R"({"counts":{"pending":"1","inProgress":2,"completed":3}})"})
    EXPECT_THROW(read_counts(value), Refusal) << value;
}

TEST(FindFault, checks_each_item_in_order) {
  const std::string not_array = "todo/write todos must be an array";
  const std::string not_object = "todo/write entries must be objects";
  const std::string not_trimmed = "todo/write content must be non-empty and already trimmed";
  const std::pair<const char *, std::string> cases[] = {
      {R"({})", not_array},
      {R"(5)", not_array},
      {R"([])", not_array},
      {R"("s")", not_array},
      {R"({"todos":{"length":0}})", not_array},
      {R"({"todos":[5]})", not_object},
      {R"({"todos":[null]})", not_object},
      {R"({"todos":[[]]})", not_trimmed},
      {R"({"todos":[{"status":"pending"}]})", not_trimmed},
      {R"({"todos":[{"content":" a","status":"pending"}]})", not_trimmed},
      {R"({"todos":[{"content":"a\u3000","status":"pending"}]})", not_trimmed},
      {R"({"todos":[{"content":"","status":"pending"}]})", not_trimmed},
      {R"({"todos":[{"content":"a","status":"pending"},{"content":"\u0061","status":5}]})",
       "todo/write repeats content \"a\""},
      {R"({"todos":[{"content":"a"}]})", "todo/write carries unknown status undefined"},
      {R"({"todos":[{"content":"a","status":1e21}]})", "todo/write carries unknown status 1e+21"},
      {R"({"todos":[{"content":"a","status":{"b":[1.0,"\ud800"],"1":null}}]})",
       R"(todo/write carries unknown status {"1":null,"b":[1,"\ud800"]})"},
      {R"({"todos":[{"content":"a","status":"done"},5]})", R"(todo/write carries unknown status "done")"},
  };
  for (const auto &[data, fault] : cases) EXPECT_EQ(find_fault(data), fault) << data;
}

TEST(FindFault, neither_extra_keys_nor_several_in_progress_are_faults) {
  EXPECT_EQ(find_fault(R"({"todos":[{"id":1,"content":"a","status":"in_progress","x":{}},)"
                       R"({"content":"b","status":"in_progress"}],"more":[1]})"),
            std::nullopt);
  EXPECT_EQ(find_fault(R"({"todos":[]})"), std::nullopt);
}

TEST(FindFault, data_that_is_null_or_no_json_breaks_down) {
  EXPECT_THROW((void)find_fault("null"), Refusal);
  EXPECT_THROW((void)find_fault("{"), Refusal);
  EXPECT_THROW((void)find_fault("\xFF"), Refusal);
}

TEST(ReadLoggedList, keeps_what_the_log_holds) {
  EXPECT_EQ(logged_list(R"({ "todos" : [ {"content":" a ","status":"pending","id":1.0,"id":2,"0":-0} ] })"),
            R"([{"0":0,"content":" a ","status":"pending","id":2}])");
  EXPECT_EQ(logged_list(R"({"todos":null})"), "null");
  EXPECT_EQ(logged_list(R"({"todos":"x"})"), "\"x\"");
  EXPECT_EQ(logged_list(R"({})"), "");
  EXPECT_EQ(logged_list("7"), "");
  EXPECT_THROW(logged_list("null"), Refusal);
}

TEST(ReadStandingList, keeps_content_and_status_in_that_order) {
  EXPECT_EQ(standing_list("null"), "null");
  EXPECT_EQ(standing_list(" [ ] "), "[]");
  EXPECT_EQ(
      standing_list(R"([{"status":"pending","id":1,"content":" a "},{"content":"","status":"completed"}])"),
      R"([{"content":" a ","status":"pending"},{"content":"","status":"completed"}])");
}

TEST(ReadStandingList, anything_else_is_refused_naming_the_field) {
  const auto refusal_of = [](const char *list) {
    try {
      return standing_list(list);
    } catch (const Refusal &refusal) {
      return refusal.text();
    }
  };
  EXPECT_EQ(refusal_of(""), R"(the list in the log is malformed: missing required property "todos")");
  EXPECT_EQ(refusal_of("5"), R"(the list in the log is malformed: "todos" must be an array)");
  EXPECT_EQ(refusal_of("\"x\""), R"(the list in the log is malformed: "todos" must be an array)");
  EXPECT_EQ(refusal_of("[null]"), R"(the list in the log is malformed: "todos[0]" must be an object)");
  EXPECT_EQ(refusal_of(R"([{"content":"a"}])"),
            R"(the list in the log is malformed: missing required property "todos[0].status")");
  EXPECT_EQ(refusal_of("["), "the list in the log is not JSON");
}

// --- Size -------------------------------------------------------------------------------------------

std::string many_items(std::size_t count, std::size_t size = 20) {
  std::string items;
  items.reserve(count * (size + 40));
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) items += ",";
    std::string content = "step " + std::to_string(i);
    content.resize(std::max(content.size(), size), '.');
    items += item(content, i % 3 == 0 ? "completed" : "pending");
  }
  return todos(items);
}

TEST(Size, fifty_thousand_items_pass_every_function) {
  const std::string arguments = many_items(50000);
  const WrittenList list = read_call(arguments, false);
  EXPECT_EQ(list.data, arguments);
  EXPECT_EQ(list.counts, (Counts{33333, 0, 16667}));
  EXPECT_EQ(find_fault(list.data), std::nullopt);
  const std::string state = logged_list(list.data);
  EXPECT_EQ(R"({"todos":)" + state + "}", arguments);
  EXPECT_EQ(standing_list(state), state);
}

TEST(Size, a_text_of_64_mib_passes) {
  const std::size_t size = 64U << 20;
  const std::string many = many_items(1000000, 35);
  ASSERT_GT(many.size(), size);
  EXPECT_EQ(read_call(many, true).data, many);
  const std::string one = todos(item(std::string(size, 'x')));
  EXPECT_EQ(read_call(one, true).data, one);
  const std::string ignored = R"({"note":")" + std::string(size, 'y') + R"(","todos":[]})";
  EXPECT_EQ(read_call(ignored, true).data, R"({"todos":[]})");
}

TEST(Size, a_violation_an_item_is_told_in_a_long_list_too) {
  std::string items = "0";
  for (int i = 1; i < 200000; ++i) items += ",0";
  const std::string outcome = call(todos(items));
  EXPECT_THAT(outcome.substr(outcome.size() - 40), HasSubstr("\"todos[199999]\" must be an object"));
}

}  // namespace
}  // namespace dsh::todo
