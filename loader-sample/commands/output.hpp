// The two streams of a command: results on the real stdout, complaints on stderr.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "text/descriptor.hpp"

namespace dsh::loader {

/// A result could not be written. No Error: what is wrong with the output is never told as a fault of what
/// was read.
class OutputFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A person's reader has seen enough, as `head` does: nothing to complain about.
class ReaderGone : public OutputFailure {
 public:
  using OutputFailure::OutputFailure;
};

/// Ends the process as SIGPIPE ends programs that don't ignore it, so that shells see 141; returns that where
/// the signal is blocked. To be called at the very end.
int end_as_reader_gone() noexcept;

/// Where results go. Owns its descriptor. One thread at a time.
class Output {
 public:
  /// Puts the process's stdout aside (close-on-exec) and points descriptor 1 at stderr, so that
  /// nothing a plugin or a library prints gets between results. Opens /dev/null for whichever of the
  /// three standard descriptors is closed: no file opened later may take their place. Ignores
  /// SIGPIPE and SIGXFSZ: a reader that has gone and a file that may not grow are errors of the write
  /// that meets them. To be called before anything else.
  static Output take_stdout();

  /// Takes over `descriptor`; negative: every write fails.
  explicit Output(int descriptor) noexcept : descriptor_(descriptor) {}

  /// Points descriptor 1 at /dev/null, for a command whose stderr nobody has to read.
  void discard_strays() const;

  /// Writes all of `text`, however slowly the reader takes it. Throws OutputFailure
  /// when it can't: ReaderGone where the reader has gone.
  void write(std::string_view text) const;

  /// The same for JSON (or a part of one), which any of these may reach: a terminal, a file that is shown on
  /// one later. What a terminal would obey is written as escapes, wherever it goes: see visible_json().
  void write_json(std::string json) const;

  /// The same for an answer in a protocol, whose texts programs compare: as it stands, but on a terminal. A
  /// peer who goes before his answers is a failure like any other.
  void write_answer(std::string json) const;

  int descriptor() const noexcept { return descriptor_.get(); }
  bool is_terminal() const noexcept;

 private:
  /// 0, or an errno.
  int write_all(std::string_view text) const;

  Descriptor descriptor_;
};

/// Writes `loader-sample: <text>` and a line end to stderr, as one line in which control characters
/// are visible; at a terminal, which would break it inside words, as lines of its width. Never fails, and
/// never waits for a reader that doesn't read.
void complain(std::string_view text) noexcept;

/// The same of somebody else: `<who><text>`.
void tell(std::string_view who, std::string_view text) noexcept;

}  // namespace dsh::loader
