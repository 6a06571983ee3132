#include "tool_texts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace dsh::todo {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string text_before =
    "Record and update a structured todo list for the work at hand. Send the ENTIRE list with every call: it "
    "replaces the former one, there are no partial updates, and an item you leave out is gone. Write one "
    "item "
    "for each concrete step, before you start on it. ";
const std::string parallel_config =
    "Mark everything you are working on as in_progress: several items when work really runs in parallel, one "
    "when it is sequential, and at least one as long as work remains. ";
const std::string single_config =
    "Mark at most one item as in_progress, and exactly one as long as work remains. ";
const std::string text_after =
    "Mark an item completed as soon as it is done, never several in a batch. Have none in_progress only when "
    "everything is done. Skip the list for a trivial task of a single step. The statuses: pending is not "
    "started yet, in_progress is being worked on, completed is done and finished.";

// Models' prompt caches depend on every byte: whoever changes the words changes them here too.
TEST(Description, the_two_differ_in_the_clause_on_active_items_alone) {
  EXPECT_EQ(describe_tool(true), text_before + parallel_config + text_after);
  EXPECT_EQ(describe_tool(false), text_before + single_config + text_after);
}

TEST(Description, is_one_paragraph) {
  for (const bool parallel : {true, false}) EXPECT_THAT(describe_tool(parallel), Not(HasSubstr("\n")));
}

TEST(Schemas, stay_as_they_are) {
  EXPECT_EQ(
      parameters_schema,
      "{\"type\":\"object\",\"properties\":{\"todos\":{\"type\":\"array\",\"description\":\"The entire list, "
      "in "
      "order. It replaces the former one.\",\"items\":{\"type\":\"object\",\"additionalProperties\":false,"
      "\"properties\":{\"content\":{\"type\":\"string\",\"description\":\"The step, in a few words. Never "
      "empty, and "
      "no two items with the same content.\"},\"status\":{\"type\":\"string\",\"description\":\"pending: not "
      "started yet. in_progress: being worked on. completed: done.\",\"enum\":[\"pending\",\"in_progress\","
      "\"completed\"]}},\"required\":[\"content\",\"status\"]}}},\"required\":[\"todos\"]}");
  EXPECT_EQ(
      output_schema,
      "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"todos\":{\"type\":\"array\","
      "\"items\":{"
      "\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"content\":{\"type\":\"string\"},"
      "\"status\":{\"type\":\"string\",\"enum\":[\"pending\",\"in_progress\",\"completed\"]}},\"required\":["
      "\"content\",\"status\"]}},\"counts\":{\"type\":\"object\",\"additionalProperties\":false,"
      "\"properties\":{"
      "\"pending\":{\"type\":\"integer\"},\"inProgress\":{\"type\":\"integer\"},\"completed\":{\"type\":"
      "\"integer\"}},"
      "\"required\":[\"pending\",\"inProgress\",\"completed\"]}},\"required\":[\"todos\",\"counts\"]}");
}

}  // namespace
}  // namespace dsh::todo
