// The plugins to load, as a YAML file lists them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dsh::loader {

/// One entry of a composition, groups flattened.
struct Entry {
  std::string id;                   ///< unique; as given, else made from the position: "entry-4", "entry-4-1"
  std::string name;                 ///< which plugin: see PluginPaths. Empty only where disabled
  std::string config_json;          ///< `config` as JSON text, "null" when absent
  std::vector<std::string> inject;  ///< services it needs besides those that its plugin names
  bool disabled = false;            ///< never opened
  bool host_provided = false;       ///< a service that this host provides itself: nothing to load
};

struct Composition {
  std::filesystem::path file;        ///< absolute; names that start with "." are relative to its directory
  std::vector<Entry> entries;        ///< in the file's order
  std::vector<std::string> remarks;  ///< of what is allowed, but likely a mistake; each names its position
};

/// Reads the composition in `file`. Throws Error: the file can't be read, is not YAML, or an entry is
/// malformed; the text names the file and the entry's position.
Composition load_composition(const std::filesystem::path &file);

/// The same from a text; `file` need not exist.
Composition parse_composition(std::string_view text, const std::filesystem::path &file);

}  // namespace dsh::loader
