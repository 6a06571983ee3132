#include "tool_texts.hpp"

namespace dsh::todo {
namespace {

constexpr std::string_view text_before =
    "Record and update a structured todo list for the work at hand. Send the ENTIRE list with every call: it "
    "replaces the former one, there are no partial updates, and an item you leave out is gone. Write one "
    "item for each concrete step, before you start on it. ";

constexpr std::string_view parallel_config =
    "Mark everything you are working on as in_progress: several items when work really runs in parallel, one "
    "when it is sequential, and at least one as long as work remains. ";

constexpr std::string_view single_config =
    "Mark at most one item as in_progress, and exactly one as long as work remains. ";

constexpr std::string_view text_after =
    "Mark an item completed as soon as it is done, never several in a batch. Have none in_progress only when "
    "everything is done. Skip the list for a trivial task of a single step. The statuses: pending is not "
    "started yet, in_progress is being worked on, completed is done and finished.";

}  // namespace

std::string describe_tool(bool allow_parallel) {
  return std::string(text_before).append(allow_parallel ? parallel_config : single_config).append(text_after);
}

const std::string_view parameters_schema =
    R"({"type":"object","properties":{"todos":{"type":"array",)"
    R"("description":"The entire list, in order. It replaces the former one.",)"
    R"("items":{"type":"object","additionalProperties":false,"properties":{)"
    R"("content":{"type":"string",)"
    R"("description":"The step, in a few words. Never empty, and no two items with the same content."},)"
    R"("status":{"type":"string",)"
    R"("description":"pending: not started yet. in_progress: being worked on. completed: done.",)"
    R"("enum":["pending","in_progress","completed"]}},)"
    R"("required":["content","status"]}}},"required":["todos"]})";

const std::string_view output_schema =
    R"({"type":"object","additionalProperties":false,"properties":{"todos":{"type":"array",)"
    R"("items":{"type":"object","additionalProperties":false,"properties":{)"
    R"("content":{"type":"string"},"status":{"type":"string","enum":["pending","in_progress","completed"]}},)"
    R"("required":["content","status"]}},)"
    R"("counts":{"type":"object","additionalProperties":false,"properties":{)"
    R"("pending":{"type":"integer"},"inProgress":{"type":"integer"},"completed":{"type":"integer"}},)"
    R"("required":["pending","inProgress","completed"]}},"required":["todos","counts"]})";

}  // namespace dsh::todo
