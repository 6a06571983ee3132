// The tool `todo_write`, as the service "tools" takes it.
#pragma once

#include <dsh/plugin.hpp>
#include <string>
#include <string_view>

#include "tool_texts.hpp"

namespace dsh::todo {

/// One instance's tool. Unchanging once made: its functions may run on several threads at once.
class TodoTool {
 public:
  explicit TodoTool(bool allow_parallel)
      : description(describe_tool(allow_parallel)), allow_parallel_(allow_parallel) {}

  static constexpr std::string_view name = "todo_write";
  const std::string description;
  const std::string_view parameters = parameters_schema;
  const std::string_view output = output_schema;
  /// Each call replaces the whole list, so that two of one step would race.
  static constexpr int32_t mode = DSH_EXCLUSIVE;

  /// Checks the call, appends its todo/write event, and answers with list, counts and a sentence.
  void execute(const Call &call, Out value, Out text) const;

  /// The sentence for a value.
  void render(std::string_view arguments, std::string_view value, Out text) const;

  /// The card of a call; false where its arguments do not fit the schema.
  bool present(std::string_view arguments, Out card) const;

 private:
  const bool allow_parallel_;
};

}  // namespace dsh::todo
