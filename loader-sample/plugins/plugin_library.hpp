// A plugin's shared library: mapped, its symbols checked, unmapped.
#pragma once

#include <dsh/host.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/library_file.hpp"

namespace dsh::loader {

/// A library that keeps the letter of the contract: every symbol it must export lies in its own
/// object and has the right kind and size, the texts are terminated, the revision is ours or lower.
/// Mapped as long as this lives. Any thread.
class PluginLibrary {
 public:
  PluginLibrary(const PluginLibrary &) = delete;
  PluginLibrary &operator=(const PluginLibrary &) = delete;
  ~PluginLibrary();

  const std::filesystem::path &path() const { return path_; }
  const std::string &name() const { return name_; }                   ///< the plugin's label
  const std::vector<std::string> &inject() const { return inject_; }  ///< services it can't do without
  std::uint32_t abi_version() const { return abi_version_; }          ///< 1 where it exports none
  const std::optional<std::string> &config_schema() const { return config_schema_; }  ///< JSON Schema
  dsh_apply_fn apply() const { return apply_; }

 private:
  friend class PluginLibraries;
  explicit PluginLibrary(const LibraryFile &file);

  struct Mapping;
  std::filesystem::path path_;
  std::unique_ptr<Mapping> mapping_;
  std::string name_;
  std::vector<std::string> inject_;
  std::uint32_t abi_version_ = 1;
  std::optional<std::string> config_schema_;
  dsh_apply_fn apply_ = nullptr;
};

/// What became of a library that somebody let go.
enum class Unmapped {
  yes,     ///< its code and data are gone from the process
  in_use,  ///< somebody else holds the same library
  no       ///< the system kept it mapped: it has unique symbols, was linked with nodelete, or another
           ///< library needs it
};

/// The libraries that this process has mapped: two entries of one file share a library, and a file
/// that changed on disk while its old code is still mapped is refused, never silently served by the
/// old code. One for a host. [setup] thread.
class PluginLibraries {
 public:
  /// Maps `file`, or hands out the library that is mapped from it already. Throws Error, one line
  /// with the linker's own words where it has any: not a shared library, cut short, built for another
  /// machine, needs a library that is missing, lacks a symbol of the contract, a higher revision, …
  std::shared_ptr<const PluginLibrary> open(const LibraryFile &file);

  /// Lets go of `library` and says whether that unmapped it.
  Unmapped close(std::shared_ptr<const PluginLibrary> library);

 private:
  struct Known {
    std::filesystem::path path;
    FileIdentity identity;
    std::weak_ptr<const PluginLibrary> library;
  };
  std::vector<Known> known_;
};

}  // namespace dsh::loader
