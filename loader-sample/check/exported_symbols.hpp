// What a library exports, from its file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dsh::loader::check {

struct ExportedSymbol {
  std::string name;
  bool unique = false;  ///< STB_GNU_UNIQUE: keeps the library mapped for ever
};

/// The symbols that the dynamic symbol table defines and makes visible. Throws Error where the file has none.
std::vector<ExportedSymbol> exported_symbols(const std::filesystem::path &library);

}  // namespace dsh::loader::check
