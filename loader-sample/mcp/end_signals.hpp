// The signals that ask a process to end, as something to be polled.
#pragma once

#include <csignal>

namespace dsh::loader {

/// Blocks SIGTERM, SIGINT and SIGHUP in this thread, and in those it starts, while it lives; to be made
/// before anything else starts threads. What came meanwhile is forgotten at its end.
class EndSignals {
 public:
  EndSignals();
  ~EndSignals();
  EndSignals(const EndSignals &) = delete;
  EndSignals &operator=(const EndSignals &) = delete;

  /// Readable when one has come; −1: they can't be had, and end the process as ever.
  int descriptor() const { return descriptor_; }

 private:
  sigset_t former_{};
  int descriptor_ = -1;
};

}  // namespace dsh::loader
