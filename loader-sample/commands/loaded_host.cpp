#include "commands/loaded_host.hpp"

#include <unistd.h>

#include <array>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "commands/places.hpp"
#include "plugins/installation.hpp"
#include "text/error.hpp"
#include "text/listed.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

std::optional<StoredSessions> stored_sessions(const CommonOptions &common, Keep keep,
                                              ReadingProgress &progress, const Diagnostics &diagnostics) {
  if (keep == Keep::memory || common.memory) return std::nullopt;
  return StoredSessions(sessions_root(common), session_cwd(common), progress,
                        [&](const std::string &repairs) {
                          progress.wipe();
                          diagnostics.write(Level::warn, "log", repairs);
                        });
}

PluginHost::Options host_options(const CommonOptions &common, SessionStorage *storage) {
  const std::vector<std::filesystem::path> directories(common.plugins.begin(), common.plugins.end());
  return {PluginPaths::standard(directories), storage, common.without};
}

/// To a terminal, in lines of its width.
void tell_person(Level level, std::string_view source, std::string_view text) {
  constexpr std::array<std::string_view, 5> words = {"debug", "info", "warning", "error", ""};
  tell(std::string(words.at(static_cast<std::size_t>(level))) + ' ' + std::string(source) + ": ", text);
}

Diagnostics diagnostics_of(const CommonOptions &common) {
  const Level lowest = parse_level(common.log_level);
  return ::isatty(STDERR_FILENO) == 1 ? Diagnostics(tell_person, lowest) : Diagnostics(lowest);
}

/// Throws Error where `file` can't be read; where it is what an installation brings, that says so.
Composition read_composition(const std::filesystem::path &file) {
  std::error_code error;
  if (file != installed_composition() || std::filesystem::exists(file, error)) return load_composition(file);
  throw Error(
      "nothing says which plugins to load: there is no " + visible_path(file) +
      ", where the installation (cmake --install) puts a composition; name one with --composition FILE");
}

}  // namespace

LoadedHost::LoadedHost(const CommonOptions &common, Keep keep)
    : diagnostics_(diagnostics_of(common)),
      composition_(common.composition.empty() ? installed_composition()
                                              : std::filesystem::path(common.composition)),
      stored_(stored_sessions(common, keep, progress_, diagnostics_)),
      host_(host_options(common, stored()), diagnostics_) {}

void LoadedHost::load() { load(read_composition(composition_)); }

void LoadedHost::load_or_name_file() {
  const Composition composition = read_composition(composition_);
  try {
    load(composition);
  } catch (const Error &error) {
    throw Error(composition.file.string() + ": " + error.text(), error.name(), error.code());
  }
}

void LoadedHost::load(const Composition &composition) {
  for (const std::string &remark : composition.remarks)
    diagnostics_.write(Level::warn, "composition", remark);
  host_.load(composition);
  for (const EntryReport &entry : host_.report()) {
    if (entry.state != EntryState::pending) continue;
    diagnostics_.write(Level::warn, entry.id,
                       entry.name + " is pending: it waits for " + listed(entry.missing));
  }
}

}  // namespace dsh::loader
