#include "plugins/elf_file.hpp"

#include <elf.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

// This program's own header, put there by the link editor.
// NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" const ElfW(Ehdr) __ehdr_start [[gnu::visibility("hidden")]];

namespace dsh::loader {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);

bool read_at(int descriptor, std::uint64_t offset, void *target, std::size_t size) {
  auto *bytes = static_cast<char *>(target);
  while (size > 0) {
    const auto count = ::pread(descriptor, bytes, size, static_cast<off_t>(offset));
    if (count <= 0) return false;
    bytes += count;
    offset += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_386:
      return "x86";
    case EM_X86_64:
      return "x86-64";
    case EM_ARM:
      return "ARM";
    case EM_AARCH64:
      return "AArch64";
    case EM_RISCV:
      return "RISC-V";
    case EM_PPC64:
      return "PowerPC64";
    case EM_S390:
      return "S/390";
    default:
      return "machine " + std::to_string(machine);
  }
}

std::string built_for(const unsigned char *ident, unsigned machine) {
  return machine_name(machine) + ", " + (ident[EI_CLASS] == ELFCLASS32 ? "32" : "64") + " bits, " +
         (ident[EI_DATA] == ELFDATA2MSB ? "big" : "little") + "-endian";
}

/// The machine stands at the same place in headers of every class, in the file's own byte order.
unsigned machine_of(const unsigned char *start) {
  const bool big = start[EI_DATA] == ELFDATA2MSB;
  const unsigned first = start[offsetof(Header, e_machine)];
  const unsigned second = start[offsetof(Header, e_machine) + 1];
  return big ? first << 8U | second : second << 8U | first;
}

bool ends_within(std::uint64_t offset, std::uint64_t size, std::uint64_t file_size) {
  return offset <= file_size && size <= file_size - offset;
}

ElfFault cut_short(std::uint64_t file_size) {
  return {"it is cut short: its headers speak of more than the file's " + std::to_string(file_size) +
              " bytes; copy or build it again",
          false};
}

}  // namespace

std::optional<ElfFault> find_elf_fault(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return ElfFault{"it can't be looked at"};
  const auto size = static_cast<std::uint64_t>(status.st_size);
  Header header{};
  unsigned char start[EI_NIDENT + 4] = {};
  if (!read_at(descriptor, 0, start, sizeof start) || std::memcmp(start, ELFMAG, SELFMAG) != 0)
    return ElfFault{size == 0 ? "the file is empty" : "it is no shared library"};
  const unsigned char *own = __ehdr_start.e_ident;
  if (start[EI_CLASS] != own[EI_CLASS] || start[EI_DATA] != own[EI_DATA] ||
      machine_of(start) != __ehdr_start.e_machine)
    return ElfFault{"it is built for another machine (" + built_for(start, machine_of(start)) +
                    "; this program is " + built_for(own, __ehdr_start.e_machine) + ")"};
  if (!read_at(descriptor, 0, &header, sizeof header)) return cut_short(size);
  // The linker maps segments without asking whether the file reaches that far; touching the missing
  // part would then kill the process. A section table beyond the end shows an unfinished copy.
  const std::uint64_t table = std::uint64_t{header.e_phnum} * sizeof(Segment);
  if (header.e_phentsize != sizeof(Segment) || header.e_phnum == 0)
    return ElfFault{"its headers are damaged"};
  if (!ends_within(header.e_phoff, table, size) ||
      !ends_within(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize, size))
    return cut_short(size);
  std::vector<Segment> segments(header.e_phnum);
  if (!read_at(descriptor, header.e_phoff, segments.data(), static_cast<std::size_t>(table)))
    return cut_short(size);
  for (const auto &segment : segments)
    if ((segment.p_type == PT_LOAD || segment.p_type == PT_DYNAMIC || segment.p_type == PT_NOTE) &&
        !ends_within(segment.p_offset, segment.p_filesz, size))
      return cut_short(size);
  return std::nullopt;
}

}  // namespace dsh::loader
