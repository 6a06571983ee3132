// The size of a page of memory, in bytes.
#pragma once

#include <unistd.h>

#include <cstddef>

namespace dsh::loader::check {

inline std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace dsh::loader::check
