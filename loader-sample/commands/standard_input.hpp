// What a command reads from its standard input, kept from whatever else runs in the process.
#pragma once

#include "text/descriptor.hpp"

namespace dsh::loader {

/// The process's standard input, put aside (close-on-exec) while this lives; descriptor 0 is /dev/null
/// meanwhile: what a plugin reads, or a program that it starts, is not taken from us. Made before plugins are
/// loaded; one at a time.
class StandardInput {
 public:
  /// Throws Error where there are too many open files.
  StandardInput();
  ~StandardInput();
  StandardInput(const StandardInput &) = delete;
  StandardInput &operator=(const StandardInput &) = delete;

  int descriptor() const { return aside_.get(); }

 private:
  Descriptor aside_;
};

}  // namespace dsh::loader
