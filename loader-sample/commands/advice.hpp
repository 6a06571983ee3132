// Commands that a message tells somebody to run next.
#pragma once

#include <string>
#include <string_view>

namespace dsh::loader {

struct CommonOptions;

/// `loader-sample COMMAND`, to be run where this one was: with the composition and the plugins that were
/// given.
std::string with_our_plugins(std::string_view command, const CommonOptions &common);

/// The same, with the root of the sessions as well. Never with a project: it tells of all of them.
std::string with_our_sessions(std::string_view command, const CommonOptions &common);

}  // namespace dsh::loader
