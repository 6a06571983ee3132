#include "commands/places.hpp"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "commands/commands.hpp"
#include "text/error.hpp"
#include "text/fnv1a.hpp"

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
    if (!home.is_absolute())
      throw Error("no place for sessions: this user has no home directory; name one with --sessions DIR");
    state = home / ".local/state";
  }
  return (state / "dsh/sessions").string();
}

std::string other_root_remark(const std::string &root) {
  const fs::path home = variable("DSH_HOME");
  const fs::path other = (home.empty() ? home_directory() / ".dsh" : home) / "sessions";
  std::error_code error;
  if (!other.is_absolute() || !fs::is_directory(other, error) || fs::equivalent(other, root, error))
    return {};
  return "; those of DeepSeek Harness are found with --sessions " + other.string();
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

std::string directory_session(const CommonOptions &common) {
  std::error_code error;
  const std::string directory = session_cwd(common).value_or(fs::current_path(error).string());
  if (directory.empty()) throw Error("the working directory is gone: name a session with --session ID");
  std::array<char, 24> text{};
  (void)std::snprintf(text.data(), text.size(), "mcp-%016llx",
                      static_cast<unsigned long long>(fnv1a(directory)));
  return text.data();
}

}  // namespace dsh::loader
