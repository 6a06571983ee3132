// Memory that lets nobody read past its end, write where only reading is allowed, or come back later.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dsh::loader::check {

/// A copy of some bytes, the last of which is the last of its page: the page after it may not be
/// touched. When the copy ends its own pages may not be touched either, for a good while. So a plugin
/// that looks for a NUL, copies more than was given, or keeps a pointer beyond a call, crashes there and
/// then. One thread at a time.
class GuardedBytes {
 public:
  enum class Access { read, write };

  /// The start is aligned to `alignment`; where the size is no multiple of it, the few bytes between the
  /// end and the guarded page are watched instead (see intact). Throws std::bad_alloc.
  explicit GuardedBytes(std::string_view bytes, Access access = Access::read, std::size_t alignment = 1);
  ~GuardedBytes();
  GuardedBytes(const GuardedBytes &) = delete;
  GuardedBytes &operator=(const GuardedBytes &) = delete;

  const char *data() const noexcept { return data_; }
  char *writable() noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::string_view view() const noexcept { return {data_, size_}; }
  /// False: somebody wrote behind the last byte.
  bool intact() const noexcept;

 private:
  void *pages_;
  std::size_t length_;
  char *data_;
  std::size_t size_;
  std::size_t slack_;
};

/// A struct of the contract in guarded memory, read-only.
template <class T>
class Guarded {
 public:
  explicit Guarded(const T &value) : bytes_({reinterpret_cast<const char *>(&value), sizeof value}) {}
  /// Only the first `size` bytes of it, or `size` bytes of which those after the struct are junk.
  Guarded(const T &value, std::size_t size)
      : bytes_(cut({reinterpret_cast<const char *>(&value), sizeof value}, size)) {}

  const T *get() const noexcept { return reinterpret_cast<const T *>(bytes_.data()); }

 private:
  static std::string cut(std::string_view bytes, std::size_t size) {
    std::string copy(bytes.substr(0, size));
    copy.resize(size, '\xA5');
    return copy;
  }
  GuardedBytes bytes_;
};

}  // namespace dsh::loader::check
