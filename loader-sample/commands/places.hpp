// Where sessions are kept, and to which directory a new one belongs.
#pragma once

#include <optional>
#include <string>

namespace dsh::loader {

struct CommonOptions;

/// --sessions DIR, else the user's state: $XDG_STATE_HOME/dsh/sessions, by default
/// ~/.local/state/dsh/sessions. It need not exist. Throws Error where the user has no home directory.
std::string sessions_root(const CommonOptions &common);

/// --cwd DIR, made absolute where it isn't; none where it isn't given.
std::optional<std::string> session_cwd(const CommonOptions &common);

}  // namespace dsh::loader
