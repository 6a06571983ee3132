// What the headers of an ELF file tell before the dynamic linker sees it.
#pragma once

#include <optional>
#include <string>

namespace dsh::loader {

/// Why a file can't be mapped as a shared library of this process.
struct ElfFault {
  std::string text;          ///< "it is cut short: …"
  bool linker_copes = true;  ///< false: the linker would map it all the same, and crash
};

/// Looks at the file open at `descriptor`; nothing means that the linker may have it.
std::optional<ElfFault> find_elf_fault(int descriptor);

}  // namespace dsh::loader
