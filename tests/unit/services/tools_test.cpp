#include "services/tools.hpp"

#include <gtest/gtest.h>

#include "fixture.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

struct ToolsTest : Fixture {
  ToolResult call(const dsh_tool &abi, std::string_view arguments = "{}", Session *session = nullptr) {
    const ToolDescriptor descriptor(&abi);
    add(descriptor);
    ToolResult result = services.tools.call(descriptor.name(), arguments, session, "call-1");
    remove(descriptor);
    return result;
  }
};

std::int32_t echo(void *, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                  const dsh_error *) {
  write(value, "[");
  write(value, from_abi(call->arguments));
  write(value, "]");
  write(text, "call ");
  write(text, from_abi(call->call_id));
  return DSH_OK;
}

TEST_F(ToolsTest, lists_tools_in_order_and_announces_each_change) {
  int changes = 0;
  Subscription subscription = services.tools.subscribe([&] { ++changes; });
  const dsh_tool second_abi = tool(echo, "b");
  dsh_tool first_abi = tool(echo, "z");
  first_abi.output = to_abi("{ }");
  const ToolDescriptor first(&first_abi);
  const ToolDescriptor second(&second_abi);
  add(first);
  add(second);
  EXPECT_EQ(error_of([&] { add(second); }), "tool \"b\" is already registered");
  const std::vector<ToolInfo> list = services.tools.list();
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].name, "z");
  EXPECT_EQ(list[0].output, "{}");
  EXPECT_EQ(list[1].parameters, R"({"type":"object"})");
  EXPECT_EQ(list[1].output, "");
  EXPECT_EQ(changes, 2);
  remove(first);
  remove(first);
  EXPECT_EQ(changes, 3);
  subscription = {};
  remove(second);
  EXPECT_EQ(changes, 3);
}

TEST_F(ToolsTest, a_listener_that_fails_keeps_no_other_from_being_told) {
  int heard = 0;
  const Subscription deaf = services.tools.subscribe([] { throw std::runtime_error("deaf"); });
  const Subscription odd = services.tools.subscribe([] { throw 42; });
  const Subscription last = services.tools.subscribe([&] { ++heard; });
  const dsh_tool abi = tool(echo);
  const ToolDescriptor descriptor(&abi);
  add(descriptor);
  remove(descriptor);
  EXPECT_EQ(heard, 2);
  EXPECT_THAT(lines, ElementsAre("tools: deaf", "tools: a listener threw something that is no exception",
                                 "tools: deaf", "tools: a listener threw something that is no exception"));
}

TEST_F(ToolsTest, a_listener_that_leaves_while_others_are_told_is_not_told_any_more) {
  int heard = 0;
  Subscription second;
  const Subscription first = services.tools.subscribe([&] { second = {}; });
  second = services.tools.subscribe([&] { ++heard; });
  const dsh_tool abi = tool(echo);
  const ToolDescriptor descriptor(&abi);
  add(descriptor);
  remove(descriptor);
  EXPECT_EQ(heard, 0);
}

TEST_F(ToolsTest, gives_the_value_and_the_text_in_whatever_pieces_they_come) {
  const ToolResult result = call(tool(echo), "{\"raw\" : 1.0}");
  EXPECT_FALSE(result.is_error);
  EXPECT_EQ(result.value, "[{\"raw\":1.0}]");
  EXPECT_EQ(result.text, "call call-1");
}

TEST_F(ToolsTest, an_unknown_tool_is_a_result) {
  const ToolResult result = services.tools.call("nope", "{}", nullptr);
  EXPECT_TRUE(result.is_error);
  EXPECT_EQ(result.message, "unknown tool \"nope\"");
  EXPECT_EQ(result.text, "Error: unknown tool \"nope\"");
}

TEST_F(ToolsTest, a_failure_drops_what_was_written_and_keeps_the_error_info) {
  const ToolResult result = call(tool([](void *, const dsh_call *, const dsh_out *value, const dsh_out *text,
                                         const dsh_error *error) -> std::int32_t {
    write(value, "1");
    write(text, "half");
    const std::string_view why = "bad \xED\xA0\x80 \xFF arguments";
    error->set(error->ctx, "first", 5, "Ignored", nullptr);
    error->set(error->ctx, why.data(), why.size(), "ToolArgsError", "INVALID_ARGS");
    return 77;
  }));
  EXPECT_TRUE(result.is_error);
  EXPECT_EQ(result.text, "Error: bad \xED\xA0\x80 \xEF\xBF\xBD arguments");
  EXPECT_EQ(result.value, "");
  EXPECT_EQ(result.error_name, "ToolArgsError");
  EXPECT_EQ(result.error_code, "INVALID_ARGS");
}

TEST_F(ToolsTest, words_what_a_tool_leaves_unsaid) {
  EXPECT_EQ(call(tool([](auto...) -> std::int32_t { return DSH_ERROR; })).message,
            "tool \"tool\" failed with status 1");
  EXPECT_EQ(call(tool([](auto...) -> std::int32_t { return DSH_NONE; })).message,
            "tool \"tool\" failed with status 3");
  EXPECT_EQ(call(tool([](auto...) -> std::int32_t { return DSH_NO_MEMORY; })).message,
            "tool \"tool\" ran out of memory");
  EXPECT_EQ(call(tool([](auto...) -> std::int32_t { throw std::runtime_error("escaped"); })).message,
            "tool \"tool\" broke the contract: an exception left it");
}

TEST_F(ToolsTest, publishes_no_value_that_is_not_json_and_no_text_that_is_not_utf8) {
  for (const std::string_view bad : {"{", "1 2", "\"\xFF\"", "nul", "\"\xED\xA0\x80\""}) {
    std::string json(bad);
    dsh_tool abi =
        tool([](void *user, const dsh_call *, const dsh_out *out, const dsh_out *, const dsh_error *) {
          write(out, *static_cast<std::string *>(user));
          return std::int32_t{DSH_OK};
        });
    abi.user = &json;
    EXPECT_THAT(call(abi).message, HasSubstr("gave a value that is not JSON")) << bad;
  }
  EXPECT_THAT(
      call(tool([](void *, const dsh_call *, const dsh_out *, const dsh_out *text, const dsh_error *) {
        write(text, "\xC3");
        return std::int32_t{DSH_OK};
      })).message,
      HasSubstr("gave a text that is not UTF-8"));
}

TEST_F(ToolsTest, a_refused_write_fails_the_call_whatever_the_tool_returns) {
  const ToolResult result = call(tool([](void *, const dsh_call *, const dsh_out *value, const dsh_out *text,
                                         const dsh_error *) -> std::int32_t {
    EXPECT_EQ(value->write(value->ctx, nullptr, 0), DSH_OK);
    EXPECT_EQ(value->write(value->ctx, nullptr, 3), DSH_ERROR);
    EXPECT_EQ(value->write(value->ctx, "1", 1), DSH_ERROR) << "sticky";
    write(text, "done");
    return DSH_OK;
  }));
  EXPECT_TRUE(result.is_error);
}

TEST_F(ToolsTest, appends_through_the_owners_session_and_passes_its_error_on) {
  dsh_tool abi = tool([](void *, const dsh_call *call, const dsh_out *, const dsh_out *text,
                         const dsh_error *error) -> std::int32_t {
    if (call->session == nullptr) return refuse(error, "nobody owns this call");
    const dsh_str type = DSH_STR("a/b");
    std::int64_t seq = -1;
    const std::int32_t status =
        call->session->append(call->session, &type, call->arguments.data, call->arguments.size, &seq, error);
    write(text, "at " + std::to_string(seq));
    return status;
  });
  EXPECT_EQ(call(abi).message, "nobody owns this call");
  const auto session = create();
  EXPECT_EQ(call(abi, "1", session.get()).text, "at 0");
  EXPECT_EQ(call(abi, "2", session.get()).text, "at 1");
  EXPECT_EQ(call(abi, "-0", session.get()).message,
            "session event \"a/b\" carries non-JSON-serializable data");
  EXPECT_EQ(session->size(), 2);
  services.sessions.dispose("s1");
  EXPECT_EQ(call(abi, "1", session.get()).message, "session \"s1\" was disposed");
}

// Appends the arguments' first part and gives the second as its value, in the order the arguments ask for.
struct Told {
  std::string event;
  std::string value;
  bool value_first = true;

  static std::int32_t execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *,
                              const dsh_error *error) {
    const Told &told = *static_cast<const Told *>(user);
    if (told.value_first) write(value, told.value);
    const dsh_str type = DSH_STR("a/b");
    std::int64_t seq = -1;
    const std::int32_t status =
        call->session->append(call->session, &type, told.event.data(), told.event.size(), &seq, error);
    if (!told.value_first) write(value, told.value);
    return status;
  }
};

TEST_F(ToolsTest, a_value_that_begins_as_an_event_is_checked_to_its_end) {
  const auto session = create();
  for (const bool value_first : {true, false}) {
    for (const std::string_view event :
         {R"({"a":[1,{"b":"}"}]})", R"({"a":1,"b":2})", R"({"a":{}})", "{}", "[1]", R"({"a": 1})"}) {
      const std::string begin(event.substr(0, event.size() - 1));
      for (const std::string_view rest : {"}", ",\"c\":{\"d\":[]}}", "]", "}}", ",}", ",\"c\"}", ":1}", "",
                                          "1}", ",\"c\":\"\xFF\"}", " , \"c\":1 }"}) {
        Told told{std::string(event), begin + std::string(rest), value_first};
        dsh_tool abi = tool(Told::execute);
        abi.user = &told;
        const ToolResult result = call(abi, "{}", session.get());
        SCOPED_TRACE(told.event + " then " + told.value);
        const JsonCheck check = check_json(told.value);
        EXPECT_EQ(result.is_error, !check);
        if (check)
          EXPECT_EQ(result.value, compact_json(told.value));
        else
          EXPECT_THAT(result.message, HasSubstr(std::string("not JSON: ") + check.fault + " at byte " +
                                                std::to_string(check.offset)));
      }
    }
  }
}

TEST_F(ToolsTest, a_value_is_not_taken_for_another_events_text) {
  const auto session = create();
  for (const std::string_view value : {R"({"a":[1,2]],"b":1})", R"({"a":[1,2)", R"({"a":[1,)"}) {
    Told told{R"({"a":[1,2]})", std::string(value)};
    dsh_tool abi = tool(Told::execute);
    abi.user = &told;
    EXPECT_TRUE(call(abi, "{}", session.get()).is_error) << value;
  }
}

TEST_F(ToolsTest, shows_a_call_as_its_tool_does) {
  dsh_tool abi = tool(echo);
  {
    const ToolDescriptor plain(&abi);
    add(plain);
    EXPECT_EQ(services.tools.present("tool", "{}"), std::nullopt);
    remove(plain);
  }
  abi.present = [](void *, const dsh_str *arguments, const dsh_out *card, const dsh_error *error) {
    const std::string_view text = from_abi(*arguments);
    if (text == "none") return std::int32_t{DSH_NONE};
    if (text == "fail") return refuse(error, "cannot be shown");
    write(card, text);
    return std::int32_t{DSH_OK};
  };
  const ToolDescriptor descriptor(&abi);
  add(descriptor);
  EXPECT_EQ(services.tools.present("tool", "{\"card\": 1}"), "{\"card\":1}");
  EXPECT_EQ(services.tools.present("tool", "none"), std::nullopt);
  EXPECT_EQ(error_of([&] { services.tools.present("tool", "fail"); }), "cannot be shown");
  EXPECT_THAT(error_of([&] { services.tools.present("tool", "[1]"); }), HasSubstr("no JSON object"));
  EXPECT_THAT(error_of([&] { services.tools.present("tool", "{"); }), HasSubstr("card that is not JSON"));
  EXPECT_THAT(error_of([&] { services.tools.present("tool", ""); }), HasSubstr("card that is not JSON"));
  EXPECT_EQ(error_of([&] { services.tools.present("nope", ""); }), "unknown tool \"nope\"");
  remove(descriptor);
}

}  // namespace
}  // namespace dsh::loader
