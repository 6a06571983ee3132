// What every command that loads plugins starts with: a host for the options of the command line.
#pragma once

#include <filesystem>
#include <optional>

#include "commands/reading_progress.hpp"
#include "log/stored_sessions.hpp"
#include "plugins/plugin_host.hpp"
#include "text/diagnostics.hpp"

namespace dsh::loader {

struct CommonOptions;

enum class Keep {
  memory,  ///< sessions live in this process
  disk     ///< sessions are durable, unless --memory says otherwise
};

/// A host, and what it stands on.
class LoadedHost {
 public:
  LoadedHost(const CommonOptions &common, Keep keep);

  /// Reads the composition, applies its entries, and says which of them are pending. Throws Error: the
  /// text alone.
  void load();
  /// The same for a person: a failure names the composition's file too.
  void load_or_name_file();

  PluginHost &operator*() { return host_; }
  PluginHost *operator->() { return &host_; }

  /// Null: sessions are in memory.
  StoredSessions *stored() { return stored_ ? &*stored_ : nullptr; }
  const Diagnostics &diagnostics() const { return diagnostics_; }

 private:
  void load(const Composition &composition);

  Diagnostics diagnostics_;
  std::filesystem::path composition_;
  ReadingProgress progress_;
  std::optional<StoredSessions> stored_;
  PluginHost host_;
};

}  // namespace dsh::loader
