// What the lines of a script do, one function an op.
#pragma once

#include <string>
#include <string_view>

#include "plugins/plugin_host.hpp"

namespace dsh::loader {

class ScriptLine;

/// Carries a line out and returns what its answer says beside `ok`: members with a comma before each
/// (`,"seq":4`), or nothing. Throws Error when it can't. None for an op that isn't one of these.
using ScriptOp = std::string (*)(PluginHost &host, const ScriptLine &line);
ScriptOp find_script_op(std::string_view name);

}  // namespace dsh::loader
