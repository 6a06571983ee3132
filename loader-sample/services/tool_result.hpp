// The data of a `tool/result`.
#pragma once

#include <string>
#include <string_view>

namespace dsh::loader {

/// `[{"type":"text","text":…}]`: a text as a list of blocks. `text` is WTF-8.
std::string text_content_json(std::string_view text);

/// What a model is told of its call. All are JSON; `error` is empty where the call succeeded.
struct ToolResultParts {
  std::string_view turn;
  std::string_view step;
  std::string_view call_id;
  std::string_view content;  ///< a list of blocks
  std::string_view error = {};
};

/// The data as format 0 has it, with an id of its own.
std::string tool_result_data(const ToolResultParts &parts);

}  // namespace dsh::loader
