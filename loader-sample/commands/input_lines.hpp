// Lines from a descriptor as they come: an interactive peer is answered before it sends the next.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "commands/standard_input.hpp"
#include "text/descriptor.hpp"

namespace dsh::loader {

/// Reads a file or standard input, which is put aside in either case (standard_input.hpp). One thread.
class InputLines {
 public:
  /// `path` "-" is standard input. Throws Error when the file can't be opened.
  explicit InputLines(const std::string &path);

  /// Tells a person what is awaited, on stderr, where this is standard input and that a terminal.
  void prompt(std::string_view text) const;

  /// The next line without its LF; the last may lack one. None at the end. Valid until the next call.
  /// Throws Error when reading fails.
  std::optional<std::string_view> next();

  /// All that is left. Throws Error when reading fails.
  std::string rest();

 private:
  bool fill();

  const StandardInput standard_;
  std::string name_;
  Descriptor file_;  // none: standard input
  int descriptor_;
  std::string buffer_;
  std::size_t start_ = 0;  // of the next line in the buffer
  bool ended_ = false;
};

}  // namespace dsh::loader
