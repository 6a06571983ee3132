#include "mcp/protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_agent.hpp"
#include "support/failing_memory.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Protocol : public testing::Test {
 protected:
  /// What a line is answered with.
  std::vector<std::string> send(std::string_view line) {
    sent_.clear();
    protocol_.handle(line);
    for (const std::string &answer : sent_) {
      EXPECT_TRUE(check_json(answer)) << answer;
      EXPECT_EQ(answer.find('\n'), std::string::npos);
    }
    return sent_;
  }

  /// The only answer.
  std::string ask(std::string_view line) {
    const auto answers = send(line);
    EXPECT_EQ(answers.size(), 1U) << line;
    return answers.empty() ? "" : answers.front();
  }

  std::string request(std::string_view method, std::string_view params = "{}", std::string_view id = "1") {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + std::string(id) + ",\"method\":\"" + std::string(method) +
           "\",\"params\":" + std::string(params) + '}';
  }

  void initialize(std::string_view version = "2025-11-25") {
    ask(request("initialize", "{\"protocolVersion\":\"" + std::string(version) + "\"}"));
  }

  static std::string error(int code) { return "\"error\":{\"code\":" + std::to_string(code) + ','; }

  FakeAgent agent_;
  std::vector<std::string> sent_;
  std::vector<std::string> notes_;
  McpProtocol protocol_{agent_, [this](std::string line) { sent_.push_back(std::move(line)); },
                        [this](std::string_view note) { notes_.emplace_back(note); }};
};

TEST_F(Protocol, a_known_version_is_agreed_on_and_any_other_answered_with_the_newest) {
  for (const std::string version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"})
    EXPECT_THAT(ask(request("initialize", "{\"protocolVersion\":\"" + version + "\"}")),
                HasSubstr("\"protocolVersion\":\"" + version + '"'));
  for (const char *params : {R"({"protocolVersion":"1999-01-01"})", "{}", R"({"protocolVersion":7})", "null"})
    EXPECT_THAT(ask(request("initialize", params)), HasSubstr(R"("protocolVersion":"2025-11-25")"));
  EXPECT_THAT(ask(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"), HasSubstr("2025-11-25"));
}

TEST_F(Protocol, initialize_tells_what_there_is) {
  const std::string answer = ask(request("initialize", R"({"clientInfo":{"name":"a client"}})", "\"x\""));
  EXPECT_THAT(answer, StartsWith(R"({"jsonrpc":"2.0","id":"x","result":{)"));
  EXPECT_THAT(answer, HasSubstr(R"("capabilities":{"tools":{},"resources":{"subscribe":true}})"));
  EXPECT_THAT(answer, HasSubstr(R"("serverInfo":{"name":"loader-sample","version":")"));
  EXPECT_EQ(agent_.client, "a client");
}

TEST_F(Protocol, before_initialize_there_is_only_ping) {
  EXPECT_EQ(ask(request("ping")), R"({"jsonrpc":"2.0","id":1,"result":{}})");
  for (const char *method : {"tools/list", "tools/call", "resources/read"})
    EXPECT_THAT(ask(request(method)), HasSubstr(error(-32600)));
  EXPECT_THAT(ask(request("unheard/of")), HasSubstr(error(-32601)));
  EXPECT_THAT(agent_.calls, IsEmpty());
  initialize();
  EXPECT_THAT(ask(request("tools/list")), HasSubstr("\"result\":"));
}

TEST_F(Protocol, an_id_comes_back_as_it_was_written) {
  for (const char *id : {"0", "-1", "1.50", "1e3", "12345678901234567890", "\"\"", R"("a\u0062\ud800")"})
    EXPECT_EQ(ask(request("ping", "{}", id)),
              R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":{}})");
  for (const char *id : {"null", "true", "[]", "{}"})
    EXPECT_THAT(ask(request("ping", "{}", id)),
                StartsWith(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600)"));
}

TEST_F(Protocol, the_same_id_twice_is_two_requests) {
  EXPECT_EQ(ask(request("ping")), ask(request("ping")));
  EXPECT_THAT(ask(R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping"})"), HasSubstr("\"id\":2"));
}

TEST_F(Protocol, what_is_no_json_has_one_answer_with_null_as_its_id) {
  for (const std::string_view line :
       {std::string_view("{"), std::string_view("{}{}"), std::string_view("\xff"),
        std::string_view("{\"a\":\"\xc3(\"}"), std::string_view("{\0}", 3), std::string_view("Hello"),
        std::string_view("\xef\xbb\xbf{}")})
    EXPECT_THAT(ask(line), StartsWith(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,)"));
  EXPECT_THAT(ask(std::string(20000, '[')), HasSubstr(error(-32700)));
}

TEST_F(Protocol, what_is_no_request_is_refused_with_its_id_if_it_has_one) {
  initialize();
  EXPECT_THAT(ask("7"), HasSubstr(error(-32600)));
  EXPECT_THAT(ask("{}"), StartsWith(R"({"jsonrpc":"2.0","id":null,)" + error(-32600)));
  EXPECT_THAT(ask(R"({"id":4,"method":"ping"})"), StartsWith(R"({"jsonrpc":"2.0","id":4,)" + error(-32600)));
  EXPECT_THAT(ask(R"({"jsonrpc":"1.0","id":4,"method":"ping"})"), HasSubstr(error(-32600)));
  EXPECT_THAT(ask(R"({"jsonrpc":"2.0","id":4,"method":7})"), HasSubstr(error(-32600)));
  EXPECT_THAT(ask(R"({"jsonrpc":"2.0","id":4})"), HasSubstr(error(-32600)));
}

TEST_F(Protocol, notifications_and_answers_have_no_answer) {
  for (const char *line :
       {R"({"jsonrpc":"2.0","method":"notifications/whatever"})",
        R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
        R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{}}})",
        R"({"jsonrpc":"2.0","method":"x","params":7})", R"({"jsonrpc":"2.0","id":1,"result":{}})",
        R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}})", "", "  \t\r"})
    EXPECT_THAT(send(line), IsEmpty()) << line;
  EXPECT_THAT(agent_.calls, IsEmpty());
}

TEST_F(Protocol, a_notification_with_an_id_is_a_request_nobody_knows) {
  initialize();
  EXPECT_THAT(ask(request("notifications/initialized")), HasSubstr(error(-32601)));
  EXPECT_THAT(ask(request("server/discover")), HasSubstr(error(-32601)));
}

TEST_F(Protocol, header_lines_are_ignored_with_one_remark) {
  EXPECT_THAT(send("Content-Length: 52\r"), IsEmpty());
  EXPECT_THAT(send("\r"), IsEmpty());
  EXPECT_EQ(ask(request("ping")), R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_THAT(send("content-type: application/json"), IsEmpty());
  EXPECT_EQ(notes_.size(), 1U);
}

TEST_F(Protocol, tools_are_listed_with_schemas_that_are_objects) {
  initialize();
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"),
            R"({"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","description":"Says it again.",)"
            R"("inputSchema":{"type":"object"},"outputSchema":{"type":"object"}},)"
            R"({"name":"count","description":"Counts.","inputSchema":{"type":"object"}}]}})");
  EXPECT_THAT(ask(request("tools/list", R"({"cursor":"x"})")), HasSubstr(error(-32602)));
}

TEST_F(Protocol, a_call_gets_its_arguments_as_they_were_written) {
  initialize();
  const std::string arguments = R"({ "a" : 1.0, "a":"\ud83d" , "name":"x"})";
  EXPECT_EQ(
      ask(request("tools/call", R"({"name":"echo","arguments":)" + arguments + '}')),
      R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}],"structuredContent":{"echo":)" +
          arguments + R"(},"isError":false}})");
  ask(request("tools/call", R"({"n\u0061me":"echo"})"));
  EXPECT_THAT(agent_.calls, ElementsAre(arguments, "{}"));
}

TEST_F(Protocol, only_objects_are_structured_content) {
  initialize();
  EXPECT_THAT(ask(request("tools/call", R"({"name":"count"})")), Not(HasSubstr("structuredContent")));
}

TEST_F(Protocol, a_tool_that_fails_is_a_result) {
  initialize();
  EXPECT_EQ(
      ask(request("tools/call", R"({"name":"echo","arguments":{"fail":1}})")),
      R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Error: it failed: \ud800"}],"isError":true}})");
}

TEST_F(Protocol, a_call_of_nothing_or_with_no_object_is_refused) {
  initialize();
  EXPECT_THAT(ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})"), HasSubstr(error(-32602)));
  EXPECT_THAT(ask(request("tools/call", "{}")), HasSubstr(error(-32602)));
  EXPECT_THAT(ask(request("tools/call", R"({"name":7})")), HasSubstr(error(-32602)));
  EXPECT_THAT(ask(request("tools/call", R"({"name":"none"})")), HasSubstr(R"(unknown tool \"none\")"));
  for (const char *arguments : {"null", "[]", "\"{}\"", "7"})
    EXPECT_THAT(ask(request("tools/call", R"({"name":"echo","arguments":)" + std::string(arguments) + '}')),
                HasSubstr(error(-32602)));
  EXPECT_THAT(ask(request("tools/call", "[]")), HasSubstr(error(-32602)));
  EXPECT_THAT(agent_.calls, IsEmpty());
}

TEST_F(Protocol, the_plan_is_a_resource_in_two_forms) {
  initialize();
  EXPECT_THAT(ask(request("resources/list")), HasSubstr(R"("uri":"todo://plan")"));
  EXPECT_THAT(ask(request("resources/templates/list")), HasSubstr(R"("resourceTemplates":[])"));
  agent_.plan_text = R"([{"content":"a \ud800","status":"in_progress"}])";
  EXPECT_EQ(
      ask(request("resources/read", R"({"uri":"todo://plan"})")),
      R"({"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"todo://plan","mimeType":"application/json",)"
      R"("text":"{\"todos\":[{\"content\":\"a \\ud800\",\"status\":\"in_progress\"}]}"},)"
      "{\"uri\":\"todo://plan\",\"mimeType\":\"text/markdown\",\"text\":\"- [ ] a \uFFFD *(in "
      "progress)*\\n\"}]}}");
  agent_.plan_text = "";
  EXPECT_THAT(ask(request("resources/read", R"({"uri":"todo://plan"})")),
              HasSubstr(error(-32603) + R"("message":"the log is damaged")"));
}

TEST_F(Protocol, another_resource_is_not_there) {
  initialize();
  for (const char *method : {"resources/read", "resources/subscribe", "resources/unsubscribe"}) {
    EXPECT_THAT(ask(request(method, R"({"uri":"todo://other"})")),
                HasSubstr(error(-32002) +
                          R"("message":"unknown resource \"todo://other\"","data":{"uri":"todo://other"})"));
    EXPECT_THAT(ask(request(method)), HasSubstr(error(-32602)));
  }
}

TEST_F(Protocol, a_subscriber_is_told_of_each_change_from_then_on) {
  initialize();
  const std::string call = request("tools/call", R"({"name":"echo"})");
  const std::string updated =
      R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"todo://plan"}})";
  EXPECT_EQ(send(call).size(), 1U);
  EXPECT_EQ(send(request("resources/subscribe", R"({"uri":"todo://plan"})")).size(), 1U)
      << "old changes are no news";
  EXPECT_THAT(send(call), ElementsAre(StartsWith(R"({"jsonrpc":"2.0","id":1,"result")"), updated));
  EXPECT_EQ(send(request("tools/call", R"({"name":"echo","arguments":{"fail":1}})")).size(), 1U);
  ask(request("resources/unsubscribe", R"({"uri":"todo://plan"})"));
  EXPECT_EQ(send(call).size(), 1U);
}

TEST_F(Protocol, batches_are_answered_in_the_version_that_has_them) {
  const std::string batch = '[' + request("ping") + R"(,{"jsonrpc":"2.0","method":"notifications/x"},7,)" +
                            request("ping", "{}", "\"b\"") + ']';
  EXPECT_THAT(ask(batch), HasSubstr(error(-32600)));
  for (const char *version : {"2025-11-25", "2025-06-18", "2024-11-05"}) {
    initialize(version);
    EXPECT_THAT(ask(batch), StartsWith(R"({"jsonrpc":"2.0","id":null,)" + error(-32600)));
  }
  initialize("2025-03-26");
  EXPECT_EQ(
      ask(batch),
      R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":)"
      R"("not a request: a message is an object"}},{"jsonrpc":"2.0","id":"b","result":{}}])");
  EXPECT_THAT(ask("[]"), HasSubstr(error(-32600)));
  EXPECT_THAT(send(R"([{"jsonrpc":"2.0","method":"notifications/x"}])"), IsEmpty());
}

TEST_F(Protocol, initialize_is_no_part_of_a_batch) {
  initialize("2025-03-26");
  for (const std::string &batch : {'[' + request("initialize", R"({"protocolVersion":"2025-11-25"})") + ',' +
                                       request("tools/call", R"({"name":"echo"})") + ']',
                                   '[' + request("ping") + ',' + request("initialize") + ']'})
    EXPECT_THAT(ask(batch), AllOf(StartsWith(R"({"jsonrpc":"2.0","id":null,)" + error(-32600)),
                                  HasSubstr("initialize must not be part of a batch")));
  EXPECT_THAT(agent_.calls, IsEmpty()) << "nothing of a refused batch is carried out";
  EXPECT_THAT(ask('[' + request("ping") + ']'), StartsWith("[{")) << "the version agreed on stands";
}

TEST_F(Protocol, a_batch_cannot_make_answers_grow_without_bound) {
  initialize("2025-03-26");
  std::string batch = "[7";
  for (int i = 0; i < 10000; ++i) batch += ",7";
  EXPECT_THAT(ask(batch + ']'), HasSubstr("a batch of more than 10000 messages"));
  agent_.plan_text = "\"" + std::string(8'000'000, 'x') + '"';
  batch = '[' + request("resources/read", R"({"uri":"todo://plan"})");
  for (int i = 0; i < 40; ++i) batch += ',' + request("resources/read", R"({"uri":"todo://plan"})");
  const std::string answer = ask(batch + ']');
  EXPECT_LT(answer.size(), 100'000'000U);
  EXPECT_THAT(answer.substr(answer.size() - 200), HasSubstr("too large for one line"));
}

TEST_F(Protocol, a_batch_and_its_changes_stay_apart) {
  initialize("2025-03-26");
  ask(request("resources/subscribe", R"({"uri":"todo://plan"})"));
  const auto answers = send('[' + request("tools/call", R"({"name":"echo"})") + ',' + request("ping") + ']');
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_THAT(answers[0], StartsWith("[{"));
  EXPECT_THAT(answers[1], HasSubstr("notifications/resources/updated"));
}

TEST_F(Protocol, an_answer_is_not_answered_whatever_is_wrong_with_it) {
  for (const char *answer : {R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}})",
                             R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}})",
                             R"({"id":[],"result":{}})", R"({"jsonrpc":"1.0","id":7,"result":{}})"})
    EXPECT_THAT(send(answer), IsEmpty()) << answer;
}

TEST_F(Protocol, wherever_memory_runs_out_a_request_has_one_answer) {
  const std::string call =
      request("tools/call", R"({"name":"echo","arguments":{"a":"a text that needs memory"}})");
  const std::string read = request("resources/read", R"({"uri":"todo://plan"})");
  for (const std::string &line : {call, read, request("tools/list"), request("ping"), request("unheard/of"),
                                  std::string("no JSON"), '[' + call + ',' + read + ']'}) {
    const std::string_view id = line.starts_with('{') ? "\"id\":1," : "\"id\":";
    int refused = 0;
    for (int passing = 0, met = 1; met != 0; ++passing) {
      initialize("2025-03-26");
      sent_.clear();
      {
        const dsh::test::FailingMemory memory(passing);
        protocol_.handle(line);
        met = memory.met() ? 1 : 0;
      }
      ASSERT_EQ(sent_.size(), 1U) << line << passing;
      EXPECT_TRUE(check_json(sent_[0])) << sent_[0];
      EXPECT_THAT(sent_[0], HasSubstr(id));
      if (sent_[0].find("out of memory") != std::string::npos) ++refused;
    }
    EXPECT_GT(refused, 0) << line;
  }
}

TEST_F(Protocol, what_wants_no_answer_has_none_wherever_memory_runs_out) {
  const std::string line = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  for (int passing = 0, met = 1; met != 0; ++passing) {
    {
      const dsh::test::FailingMemory memory(passing);
      protocol_.handle(line);
      met = memory.met() ? 1 : 0;
    }
    EXPECT_THAT(sent_, IsEmpty());
  }
}

TEST_F(Protocol, a_subscriber_is_told_later_of_what_memory_was_lacking_for) {
  initialize();
  ask(request("resources/subscribe", R"({"uri":"todo://plan"})"));
  const std::string ping = request("ping");
  for (int passing = 0, met = 1; met != 0; ++passing) {
    sent_.clear();
    agent_.changed = true;
    {
      const dsh::test::FailingMemory memory(passing);
      protocol_.tell_changes();
      met = memory.met() ? 1 : 0;
    }
    protocol_.handle(ping);
    EXPECT_EQ(sent_.size(), 2U) << passing;
  }
}

TEST_F(Protocol, params_are_looked_at_last) {
  EXPECT_THAT(ask(request("foo", "[]")), HasSubstr(error(-32601)));
  EXPECT_THAT(ask(request("tools/list", "[]")), HasSubstr(error(-32600)));
  EXPECT_THAT(ask(request("ping", "[]")), HasSubstr(error(-32602)));
  initialize();
  EXPECT_THAT(ask(request("foo", "[]")), HasSubstr(error(-32601)));
  EXPECT_THAT(ask(request("tools/list", "[]")), HasSubstr(error(-32602)));
}

TEST_F(Protocol, an_empty_cursor_is_the_first_page) {
  initialize();
  EXPECT_THAT(ask(request("tools/list", R"({"cursor":""})")), HasSubstr("\"tools\""));
}

TEST_F(Protocol, a_subscriber_is_told_of_each_change_of_a_batch) {
  initialize("2025-03-26");
  const std::string uri = R"({"uri":"todo://plan"})";
  const std::string write = request("tools/call", R"({"name":"echo"})");
  ask(request("resources/subscribe", uri));
  const auto updated = HasSubstr("resources/updated");
  EXPECT_THAT(send('[' + write + ',' + write + ']'), ElementsAre(StartsWith("["), updated, updated));
  EXPECT_THAT(send('[' + write + ',' + request("resources/unsubscribe", uri) + ']'),
              ElementsAre(StartsWith("["), updated))
      << "he was one when it changed";
  EXPECT_THAT(send('[' + write + ']'), ElementsAre(StartsWith("[")));
  EXPECT_THAT(send('[' + write + ',' + request("resources/subscribe", uri) + ']'),
              ElementsAre(StartsWith("[")))
      << "no news to him";
}

}  // namespace
}  // namespace dsh::loader
