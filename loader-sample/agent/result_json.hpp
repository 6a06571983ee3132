// Results as JSON, in the shapes that commands, script mode and MCP share. Pure.
#pragma once

#include <string>
#include <vector>

#include "services/projections.hpp"
#include "services/tools.hpp"

namespace dsh::loader {

/// `[{"name","description","parameters","output"},…]`; no output where none is declared.
std::string tools_json(const std::vector<ToolInfo> &tools);

/// `{"todos":[…],…}`
std::string values_json(const ProjectionValues &values);

/// `{"name","code"}` of a failure that the tool classed; else empty.
std::string error_info_json(const ToolResult &result);

/// `{"message","info"?}` of a failure.
std::string error_json(const ToolResult &result);

/// `{"isError","content","value"?}`, or `{"isError","error","content"}`.
std::string result_json(const ToolResult &result);

}  // namespace dsh::loader
