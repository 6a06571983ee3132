// Each test in a process of its own: whatever the plugin does there, the checker lives and can tell.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "check/verdict.hpp"

namespace dsh::loader::check {

/// How a test ended.
struct Outcome {
  Verdict verdict = Verdict::passed;
  std::string cause;  ///< the first; empty where it passed
  double seconds = 0;
};

/// What a running test has of the place where it runs.
struct Place {
  /// Says what the test is about to do, so that a crash can be told from where it happened.
  std::function<void(std::string_view what)> step;
  /// The bytes that were printed to `descriptor` (1 or 2) so far; nothing where the process is not the
  /// test's.
  std::function<std::string(int descriptor)> printed;
};

/// What runs as a test: it returns where all is well, and throws a Finding otherwise.
using Body = std::function<void(const Place &)>;

/// Runs each of `tests` in a child process, `at_once` of them at a time and each at most `limit`; then it is
/// killed with everything it started. `ended` gets the number of each and how it ended, as they end. What a
/// child prints is caught; its standard input holds a line that nobody is to read. To be called by a process
/// with one thread. Throws Error where no process can be made.
void run_isolated(const std::vector<Body> &tests, std::chrono::milliseconds limit, std::size_t at_once,
                  const std::function<void(std::size_t number, Outcome outcome)> &ended);

/// Runs `test` here: for a debugger. A crash is one.
Outcome run_in_place(const Body &test);

}  // namespace dsh::loader::check
