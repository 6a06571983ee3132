// A file descriptor that closes itself.
#pragma once

#include <unistd.h>

#include <utility>

namespace dsh::loader {

/// Owns a descriptor, or none: −1, as a system call that failed returns it.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  Descriptor(Descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() { close(); }

  explicit operator bool() const noexcept { return number_ >= 0; }
  int get() const noexcept { return number_; }
  void close() noexcept {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

/// What a descriptor leads to, opened for writing under a description of our own, whose writes never wait:
/// that of the given one may be another program's as well, which expects its writes to wait. None, and
/// errno, where it can't be opened, as a socket can't.
Descriptor opened_anew(int descriptor);

}  // namespace dsh::loader
