// What a plugin hands in, judged before it is read: a pointer and a size of which nothing is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace dsh::loader::check {

/// No text is longer: a size beyond it is a mistake.
inline constexpr std::size_t longest_text = std::size_t{1} << 30U;

/// Why nobody can read `size` bytes at `data` as a text: "is null, but has a size of 5 bytes". None: they can
/// be read. The answer is that of the moment, without a signal where the memory may not be touched.
std::optional<std::string> text_fault(const char *data, std::size_t size);

/// Why nobody can read a struct, or an array of them, that takes `size` bytes at `address`.
std::optional<std::string> struct_fault(const void *address, std::size_t size, std::size_t alignment);

/// Why what stands at `text` does not end with a NUL after `most` bytes or fewer.
std::optional<std::string> word_fault(const char *text, std::size_t most);

/// May `number` be written to? Where it may, it has another value afterwards.
bool can_write(std::int64_t *number);

}  // namespace dsh::loader::check
