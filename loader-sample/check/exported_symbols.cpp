#include "check/exported_symbols.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "text/error.hpp"

namespace dsh::loader::check {
namespace {

/// A struct out of a file's bytes, wherever it lies. Throws Error where the file is too short.
template <class T>
T at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    throw Error("its section headers lead outside of the file");
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

std::vector<ExportedSymbol> exported_symbols(const std::filesystem::path &library) {
  std::ifstream file(library, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto header = at<ElfW(Ehdr)>(bytes, 0);
  std::vector<ExportedSymbol> symbols;
  bool found = false;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = at<ElfW(Shdr)>(bytes, header.e_shoff + std::uint64_t{i} * header.e_shentsize);
    if (section.sh_type != SHT_DYNSYM) continue;
    found = true;
    const auto strings =
        at<ElfW(Shdr)>(bytes, header.e_shoff + std::uint64_t{section.sh_link} * header.e_shentsize);
    for (std::uint64_t offset = 0; offset + sizeof(ElfW(Sym)) <= section.sh_size;
         offset += sizeof(ElfW(Sym))) {
      const auto symbol = at<ElfW(Sym)>(bytes, section.sh_offset + offset);
      const unsigned binding = ELF64_ST_BIND(symbol.st_info);
      const unsigned visibility = ELF64_ST_VISIBILITY(symbol.st_other);
      if (symbol.st_shndx == SHN_UNDEF || binding == STB_LOCAL || visibility == STV_HIDDEN ||
          visibility == STV_INTERNAL)
        continue;
      const std::uint64_t name = strings.sh_offset + symbol.st_name;
      if (name >= bytes.size()) throw Error("its symbol names lead outside of the file");
      symbols.push_back({bytes.c_str() + name, binding == STB_GNU_UNIQUE});
    }
  }
  if (!found) throw Error("it has no section headers to read the symbols from");
  return symbols;
}

}  // namespace dsh::loader::check
