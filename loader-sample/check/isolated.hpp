// One test in a process of its own: whatever the plugin does there, the checker lives and can tell.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "check/verdict.hpp"

namespace dsh::loader::check {

/// How a test ended.
struct Outcome {
  Verdict verdict = Verdict::passed;
  std::string cause;  ///< the first; empty where it passed
  double seconds = 0;
};

/// What a running test is about to do, so that a crash can be told from where it happened.
using Step = std::function<void(std::string_view)>;

/// Runs `test` in a child process and waits for it, at most `limit`; then it is killed with everything it
/// started. Whatever the child prints is caught; its standard input is empty. To be called by a process
/// with one thread. Throws Error where no process can be made.
Outcome run_isolated(const std::function<void(const Step &)> &test, std::chrono::milliseconds limit);

/// Runs `test` here: for a debugger. A crash is one.
Outcome run_in_place(const std::function<void(const Step &)> &test);

/// In an isolated test: the bytes that were printed to `descriptor` (1 or 2) so far. In place: nothing.
std::string printed_to(int descriptor);

}  // namespace dsh::loader::check
