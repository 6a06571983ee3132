#include "plugins/installation.hpp"

#include <system_error>

namespace dsh::loader {
namespace {

namespace fs = std::filesystem;

/// `relative` seen from the directory of this program.
fs::path beside_program(const char *relative) {
  std::error_code problem;
  const auto program = fs::read_symlink("/proc/self/exe", problem);
  return problem ? fs::path() : (program.parent_path() / relative).lexically_normal();
}

}  // namespace

fs::path installed_plugins() { return beside_program(DSH_PLUGINS_FROM_PROGRAM); }

fs::path installed_composition() { return beside_program(DSH_COMPOSITION_FROM_PROGRAM); }

}  // namespace dsh::loader
