// What was installed beside the running program.
#pragma once

#include <filesystem>

namespace dsh::loader {

/// The directory of the plugins installed with this program; empty when the system doesn't tell where
/// the program is. It need not exist: a program in its build tree has none.
std::filesystem::path installed_plugins();

/// The composition installed with this program, in the same manner.
std::filesystem::path installed_composition();

}  // namespace dsh::loader
