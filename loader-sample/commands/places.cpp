#include "commands/places.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "commands/commands.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

namespace fs = std::filesystem;

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value != nullptr ? value : "";
}

fs::path home_directory() {
  if (std::string home = variable("HOME"); !home.empty()) return home;
  const passwd *user = ::getpwuid(::getuid());
  return user != nullptr && user->pw_dir != nullptr ? user->pw_dir : "";
}

}  // namespace

std::string sessions_root(const CommonOptions &common) {
  if (!common.sessions.empty()) return common.sessions;
  fs::path state = variable("XDG_STATE_HOME");
  if (!state.is_absolute()) {  // as the XDG specification has it: a relative one doesn't count
    const fs::path home = home_directory();
    if (!home.is_absolute()) {
      throw Error("no place for sessions: this user has no home directory; name one with --sessions DIR");
    }
    state = home / ".local/state";
  }
  return (state / "dsh/sessions").string();
}

std::optional<std::string> session_cwd(const CommonOptions &common) {
  if (common.cwd.empty()) return std::nullopt;
  const fs::path given = common.cwd;
  // An absolute one is kept letter for letter: it is what the session's header names.
  if (given.is_absolute()) return common.cwd;
  fs::path absolute = (fs::current_path() / given).lexically_normal();
  if (!absolute.has_filename()) absolute = absolute.parent_path();
  return absolute.string();
}

}  // namespace dsh::loader
