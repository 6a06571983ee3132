// Where sessions are kept, and to which directory a new one belongs.
#pragma once

#include <optional>
#include <string>

namespace dsh::loader {

struct CommonOptions;

/// --sessions DIR, else in the user's state: $XDG_STATE_HOME/dsh/sessions, by default
/// ~/.local/state/dsh/sessions. It need not exist. Throws Error where the user has no home directory.
std::string sessions_root(const CommonOptions &common);

/// Where DeepSeek Harness keeps its own sessions, $DSH_HOME/sessions, by default ~/.dsh/sessions: a remark
/// for who looks for one in `root`, empty where there is no such directory, or it is the root. It is never
/// the default: what we write goes among another program's sessions only where the user says so.
std::string other_root_remark(const std::string &root);

/// --cwd DIR, made absolute where it isn't; none where it isn't given.
std::optional<std::string> session_cwd(const CommonOptions &common);

/// The session of `mcp` where none is named: `mcp-` and a hash of --cwd DIR, by default of the working
/// directory. A client that starts us without a name finds it again where it works. Throws Error where the
/// working directory is gone.
std::string directory_session(const CommonOptions &common);

}  // namespace dsh::loader
