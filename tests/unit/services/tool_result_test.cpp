#include "services/tool_result.hpp"

#include <gtest/gtest.h>

#include "text/json_reader.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

TEST(ToolResult, a_text_is_a_list_of_one_block) {
  EXPECT_EQ(text_content_json("a \"b\""), R"([{"type":"text","text":"a \"b\""}])");
}

TEST(ToolResult, the_data_tells_the_call_and_whether_it_failed) {
  const std::string done = tool_result_data({"1", "2", R"("c")", "[]"});
  const std::string message(json_member(done, "message"));
  EXPECT_EQ(json_member(done, "turn"), "1");
  EXPECT_EQ(json_member(done, "step"), "2");
  EXPECT_EQ(json_member(message, "content"),
            R"([{"type":"tool-result","toolCallId":"c","content":[],"isError":false}])");
  EXPECT_EQ(json_member(done, "error"), "");
  const std::string failed = tool_result_data({"1", "2", R"("c")", "[]", R"({"name":"E"})"});
  EXPECT_EQ(json_member(json_member(failed, "message"), "content"),
            R"([{"type":"tool-result","toolCallId":"c","content":[],"isError":true}])");
  EXPECT_EQ(json_member(failed, "error"), R"({"name":"E"})");
  EXPECT_NE(json_member(json_member(failed, "message"), "id"), json_member(message, "id"));
}

}  // namespace
}  // namespace dsh::loader
