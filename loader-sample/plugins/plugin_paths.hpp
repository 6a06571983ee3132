// From the name of a plugin in a composition to its file.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "plugins/library_file.hpp"

namespace dsh::loader {

/// Where plugins are looked for. Nothing but what is asked for is ever opened.
///
/// `@scope/pkg` and `pkg` are the files pkg.so and libpkg.so of a plugins directory, the first
/// directory that has one; a symbolic link may not lead out of that directory. A name that starts
/// with "." is a path relative to the composition. Any other path separator is refused. Any thread.
class PluginPaths {
 public:
  explicit PluginPaths(std::vector<std::filesystem::path> directories);

  /// `given` (the command line's); when empty, the directories of DSH_PLUGIN_PATH (separated by
  /// colons, empty ones ignored), then the installed plugins directory.
  static PluginPaths standard(std::vector<std::filesystem::path> given);

  /// The file of plugin `name`, opened and checked as LibraryFile::open_trusted does. Names that
  /// start with "." are relative to `composition_directory`. Throws Error: a name that can't be one,
  /// no such file in any directory (all are named), a file that is not trusted.
  LibraryFile find(std::string_view name, const std::filesystem::path &composition_directory) const;

 private:
  std::vector<std::filesystem::path> directories_;
};

}  // namespace dsh::loader
