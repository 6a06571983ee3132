// What a model reads about the tool: its description and schemas. They never change between calls,
// processes and machines, since models' prompt caches depend on every byte.
#pragma once

#include <string>
#include <string_view>

namespace dsh::todo {

/// The description. The two differ only in what they say about items in progress, which is what the
/// flag decides.
std::string describe_tool(bool allow_parallel);

/// JSON Schema of the arguments.
extern const std::string_view parameters_schema;

/// JSON Schema of a call's value.
extern const std::string_view output_schema;

}  // namespace dsh::todo
