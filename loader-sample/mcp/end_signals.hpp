// The signals that ask a process to end, as something to be polled.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "text/descriptor.hpp"

namespace dsh::loader {

/// Catches SIGTERM, SIGINT and SIGHUP while it lives, but those that are ignored; one at a time in a process,
/// made before anything else starts threads. What came meanwhile is forgotten at its end.
///
/// Nothing is blocked: what plugins start has its signals as ever. Whoever is asked to end may do so in
/// order, within mcp_patience, or until he is asked again at the same piece of work: then the signal ends
/// the process.
class EndSignals {
 public:
  EndSignals();
  ~EndSignals();
  EndSignals(const EndSignals &) = delete;
  EndSignals &operator=(const EndSignals &) = delete;

  /// Readable when one has come; −1: they can't be had, and end the process as ever.
  int descriptor() const { return told_.get(); }

  /// From its beginning on, everything counts as one piece of work. This begins another.
  void next_piece() const { piece_ += 2; }

  /// No work at all, while it lives.
  class Rest {
   public:
    explicit Rest(const EndSignals &signals) : piece_(signals.piece_) { ++piece_; }
    ~Rest() { ++piece_; }
    Rest(const Rest &) = delete;
    Rest &operator=(const Rest &) = delete;

   private:
    std::atomic<unsigned> &piece_;
  };

 private:
  void watch() const;
  int wait(std::optional<std::chrono::steady_clock::time_point> end) const;

  std::vector<std::pair<int, struct sigaction>> former_;
  Descriptor told_;
  Descriptor come_;                         // the read end of what the handler writes to
  mutable std::atomic<unsigned> piece_{1};  // odd: work
  std::thread watcher_;
};

}  // namespace dsh::loader
