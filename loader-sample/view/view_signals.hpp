// The signals of a program that has a terminal to itself.
#pragma once

#include <csignal>

#include "text/descriptor.hpp"

namespace dsh::loader {

/// Blocks SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP and SIGCONT in this thread while it lives, and
/// hands them out one by one. SIGTTOU is blocked too: a terminal can be restored from the background, where
/// one gets as soon as the shell sees another process of the job stop.
class ViewSignals {
 public:
  /// Throws Error where there are too many open files.
  ViewSignals();
  ~ViewSignals();
  ViewSignals(const ViewSignals &) = delete;
  ViewSignals &operator=(const ViewSignals &) = delete;

  /// Readable when any has come, and when one has come that ends the program. For polling alone.
  int descriptor() const { return all_descriptor_.get(); }
  int end_descriptor() const { return end_descriptor_.get(); }

  /// The next one that has come, 0: none. SIGTSTP is handed out again until stop() obeys it.
  int next() const;

  /// Stops as the SIGTSTP that has come would have; returns when the process goes on, which it does at once
  /// where it was told to since.
  static void stop();
  /// Stops the whole job, as Ctrl-Z does.
  static void stop_job();

  /// The next one that has come and ends the program, 0: none.
  int next_end() const;

  /// Is the terminal ours, and that of another job?
  static bool in_background(int terminal);

  /// Waits as the kernel makes those wait who change a terminal from the background: the whole job stops, and
  /// again where it goes on in the background. False: the program is to end, or nobody can bring the job to
  /// the foreground.
  bool wait_for_foreground(int terminal) const;

 private:
  sigset_t all_{};
  sigset_t ends_{};
  sigset_t former_{};
  Descriptor all_descriptor_;
  Descriptor end_descriptor_;
};

}  // namespace dsh::loader
