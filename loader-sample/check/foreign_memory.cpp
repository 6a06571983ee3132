#include "check/foreign_memory.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "check/page_size.hpp"

namespace dsh::loader::check {
namespace {

constexpr std::size_t mask_size = sizeof(std::uint64_t);  // what the kernel takes a signal mask for

const char *const out_of_reach = "lies in memory that may not be read";

// The kernel copies the mask before it looks at the nonsense that is asked of it, and says where it can't.
bool can_read_at(std::uintptr_t address) {
  constexpr int no_operation = -1;
  const std::uintptr_t aligned = address / mask_size * mask_size;  // never across the end of a page
  errno = 0;
  (void)::syscall(SYS_rt_sigprocmask, no_operation, aligned, nullptr, mask_size);
  return errno != EFAULT;
}

bool can_read(const void *data, std::size_t size) {
  const std::uintptr_t page = page_size();
  const auto first = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t last = first + size - 1;
  if (last < first) return false;  // around the end of the address space
  for (std::uintptr_t at = first; at <= last; at = (at / page + 1) * page) {
    if (!can_read_at(at)) return false;
    if (at / page == last / page) return true;
  }
  return true;
}

}  // namespace

std::optional<std::string> text_fault(const char *data, std::size_t size) {
  if (size == 0) return std::nullopt;
  if (data == nullptr) return "is null, but has a size of " + std::to_string(size) + " bytes";
  if (size > longest_text)
    return "has a size of " + std::to_string(size) + " bytes, and no text is longer than " +
           std::to_string(longest_text);
  if (!can_read(data, size)) return out_of_reach;
  return std::nullopt;
}

std::optional<std::string> struct_fault(const void *address, std::size_t size, std::size_t alignment) {
  if (address == nullptr) return "is null";
  if (reinterpret_cast<std::uintptr_t>(address) % alignment != 0)
    return "is not aligned to " + std::to_string(alignment) + " bytes";
  if (size != 0 && !can_read(address, size)) return out_of_reach;
  return std::nullopt;
}

std::optional<std::string> word_fault(const char *text, std::size_t most) {
  if (text == nullptr) return "is null";
  for (std::size_t i = 0; i <= most; ++i) {
    const bool new_page = i == 0 || reinterpret_cast<std::uintptr_t>(text + i) % page_size() == 0;
    if (new_page && !can_read(text + i, 1)) return out_of_reach;
    if (text[i] == '\0') return std::nullopt;
  }
  return "does not end with a NUL within " + std::to_string(most) + " bytes";
}

bool can_write(std::int64_t *number) {
  static_assert(sizeof *number == mask_size);
  errno = 0;
  // The mask in force is written there, and changed by nothing.
  (void)::syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, number, mask_size);
  return errno != EFAULT;
}

}  // namespace dsh::loader::check
