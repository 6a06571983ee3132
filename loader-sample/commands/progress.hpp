// How far a long piece of work has come, for whoever waits at a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace dsh::loader {

/// One line on stderr, redrawn in place a few times a second once the work has taken a second; nothing
/// where stderr is no terminal. Wipes the line at the end of its life.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Progress(std::function<Clock::time_point()> now = Clock::now);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void show(const std::string &what, std::uint64_t done, std::uint64_t total);
  /// Before anything else is written to the terminal.
  void wipe();

 private:
  std::function<Clock::time_point()> now_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point next_;
};

}  // namespace dsh::loader
