#include "commands/loaded_host.hpp"

#include <system_error>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "commands/places.hpp"
#include "plugins/installation.hpp"
#include "text/error.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

std::optional<StoredSessions> stored_sessions(const CommonOptions &common, Keep keep, FileOps &ops) {
  if (keep == Keep::memory || common.memory) return std::nullopt;
  return StoredSessions(sessions_root(common), session_cwd(common), ops);
}

PluginHost::Options host_options(const CommonOptions &common, SessionStorage *storage) {
  const std::vector<std::filesystem::path> directories(common.plugins.begin(), common.plugins.end());
  return {PluginPaths::standard(directories), storage, common.without};
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
    : diagnostics_(parse_level(common.log_level)),
      composition_(common.composition.empty() ? installed_composition()
                                              : std::filesystem::path(common.composition)),
      stored_(stored_sessions(common, keep, progress_)),
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
  host_.load(composition);
  for (const EntryReport &entry : host_.report()) {
    if (entry.state != EntryState::pending) continue;
    std::string missing;
    for (const std::string &service : entry.missing) missing += (missing.empty() ? "" : ", ") + service;
    diagnostics_.write(Level::warn, entry.id, entry.name + " is pending: it waits for " + missing);
  }
}

}  // namespace dsh::loader
