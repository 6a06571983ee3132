#include "plugins/plugin_paths.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "plugins/installation.hpp"
#include "text/error.hpp"
#include "text/listed.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".so";

std::string quoted(std::string_view name) { return '"' + visible(name) + '"'; }

[[noreturn]] void refuse(std::string_view name, const std::string &why) {
  throw Error("the plugin name " + quoted(name) + " " + why);
}

/// `pkg` of `@scope/pkg` and of `pkg`. Throws for what is neither.
std::string package_of(std::string_view name) {
  if (name.empty()) refuse(name, "is empty");
  auto package = name;
  if (name.starts_with('@')) {
    const auto slash = name.find('/');
    if (slash == std::string_view::npos || slash == 1 || slash + 1 == name.size() || name[1] == '.')
      refuse(name, "must read @scope/package");
    package = name.substr(slash + 1);
  }
  if (package.find_first_of("/\\") != std::string_view::npos ||
      name.substr(0, name.find('/')).find('\\') != std::string_view::npos)
    refuse(name, "holds a path separator: write @scope/package, package, or a path that starts with ./");
  if (package.starts_with('.')) refuse(name, "names a hidden file");
  return std::string(package);
}

/// Is there anything at `path`, be it a dangling link or something that can't be looked at?
bool is_there(const fs::path &path) {
  std::error_code problem;
  return fs::symlink_status(path, problem).type() != fs::file_type::not_found;
}

bool lies_within(const fs::path &path, const fs::path &directory) {
  const auto [rest, end] = std::mismatch(directory.begin(), directory.end(), path.begin(), path.end());
  return rest == directory.end();
}

std::optional<LibraryFile> find_in(const fs::path &directory, const std::string &package) {
  for (const std::string prefix : {"", "lib"}) {
    const auto path = directory / (prefix + package + std::string(suffix));
    if (!is_there(path)) continue;
    auto file = LibraryFile::open_trusted(path);
    std::error_code problem;
    if (!lies_within(file.path(), fs::canonical(directory, problem)))
      throw Error(
          "refusing to load " + visible_path(path) + ": it is a link to " + visible_path(file.path()) +
          ", outside the plugins directory; copy the library there, or name its directory with --plugins");
    return file;
  }
  return std::nullopt;
}

LibraryFile find_relative(std::string_view name, const fs::path &directory) {
  const auto path = directory / fs::path(name);
  auto with_suffix = path;
  with_suffix += suffix;
  return LibraryFile::open_trusted(path.extension() != suffix && is_there(with_suffix) ? with_suffix : path);
}

}  // namespace

PluginPaths::PluginPaths(std::vector<fs::path> directories) : directories_(std::move(directories)) {}

PluginPaths PluginPaths::standard(std::vector<fs::path> given) {
  if (!given.empty()) return PluginPaths(std::move(given));
  std::vector<fs::path> directories;
  const char *variable = std::getenv("DSH_PLUGIN_PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(':'), rest.size());
    if (end > 0) directories.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (auto installed = installed_plugins(); !installed.empty()) directories.push_back(std::move(installed));
  return PluginPaths(std::move(directories));
}

LibraryFile PluginPaths::find(std::string_view name, const fs::path &composition_directory) const {
  if (std::any_of(name.begin(), name.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }))
    refuse(name, "holds a control character");
  if (name.starts_with('.')) return find_relative(name, composition_directory);
  const auto package = package_of(name);
  std::vector<std::string> searched;
  for (const auto &directory : directories_) {
    if (auto file = find_in(directory, package)) return std::move(*file);
    searched.push_back(visible_path(directory));
  }
  throw Error(
      "no plugin " + quoted(name) + ": neither " + visible(package) + std::string(suffix) + " nor lib" +
      visible(package) + std::string(suffix) +
      (searched.empty()
           ? std::string(", for there is no plugins directory; name one with --plugins")
           : " in " + listed(searched) +
                 "; build and install it (cmake --build, cmake --install), or name its directory with "
                 "--plugins or DSH_PLUGIN_PATH"));
}

}  // namespace dsh::loader
