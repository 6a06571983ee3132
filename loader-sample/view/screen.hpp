// Where a live view's frames go: a terminal that it has to itself for a while, or a pipe.
#pragma once

#include <termios.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/descriptor.hpp"
#include "view/paragraph.hpp"
#include "view/styled_line.hpp"
#include "view/view_signals.hpp"

namespace dsh::loader {

/// Keys come one by one and unseen, while it is on; nothing where standard input is not our terminal. Ctrl-Z
/// is a key: by the signal, other processes of the job would stop before the screen is left, and the shell
/// write on it.
class Keys {
 public:
  Keys() = default;
  ~Keys() { off(); }
  Keys(const Keys &) = delete;
  Keys &operator=(const Keys &) = delete;

  void on();
  void off();

  /// To be polled; −1: nothing is.
  int descriptor() const;

  enum class Wish { none, quit, stop };
  /// Reads what was typed.
  Wish read();

 private:
  termios former_{};
  bool known_ = false;  ///< former_ is what we found, not what we set
  bool on_ = false;
  bool gone_ = false;
};

/// Writes to whatever is at the other end of a descriptor, however slowly it is taken; once a signal wants
/// the program to end, a reader who takes nothing for a second is left.
class FrameWriter {
 public:
  /// Both outlive it.
  FrameWriter(int descriptor, const ViewSignals &signals);

  /// False: the reader has gone, or was left.
  bool write(std::string_view bytes);

  /// The signal has been taken: it can't be seen here any more.
  void hurry() { hurried_ = true; }

 private:
  bool wait();

  int descriptor_;
  Descriptor own_;  ///< the same place, opened anew so as not to wait in a write; none: it can't be
  const ViewSignals &signals_;
  bool hurried_ = false;
};

/// On a terminal, the alternate screen. Elsewhere frames are appended.
class Screen {
 public:
  /// Both outlive it.
  Screen(int descriptor, const ViewSignals &signals);
  ~Screen();
  Screen(const Screen &) = delete;
  Screen &operator=(const Screen &) = delete;

  /// Waits until the terminal is ours and takes it, also where it is taken already and perhaps overwritten.
  /// False: that won't be, or a signal ends the program before.
  bool enter();
  /// False: it was not taken.
  bool leave();

  /// Does the terminal belong to another job?
  bool in_background() const { return in_place_ && ViewSignals::in_background(descriptor_); }

  /// One column less than the terminal has: what fills a line to its end moves the cursor to a place on which
  /// terminals disagree.
  Style style() const;

  /// Writes the frame unless it is there already. False: the reader has gone.
  bool show(std::vector<std::string> lines);

  /// Writes lines for good, after leave().
  void append(const std::vector<std::string> &lines) { (void)writer_.write(joined(lines)); }

  /// A signal ends the program: no reader is waited for as long as he likes.
  void hurry() { writer_.hurry(); }

  /// What stands there is of another size.
  void forget() { stale_ = true; }

  Keys &keys() { return keys_; }

 private:
  std::string appended_bytes(const std::vector<std::string> &lines) const;

  int descriptor_;
  bool in_place_;
  const ViewSignals &signals_;
  FrameWriter writer_;
  bool entered_ = false;
  Keys keys_;
  std::vector<std::string> lines_;
  bool stale_ = true;
};

}  // namespace dsh::loader
