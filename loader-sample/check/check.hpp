// `check`: does a plugin keep the contract?
//
// Each test runs in a process of its own with a time limit, mostly against an adversarial host (rig.hpp).
// The process that calls this has one thread and never maps a plugin itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "check/isolated.hpp"

namespace dsh::loader::check {

struct Options {
  std::vector<std::string> configs;         ///< to apply the plugin with; empty: made from its config_schema
  std::vector<std::string> only;            ///< patterns of tests ("tools.*"); empty: all
  std::vector<std::string> skip;            ///< patterns of tests that are left out
  std::vector<std::string> without;         ///< services that the checking host never has
  std::uint64_t seed = 1;                   ///< of everything random
  std::chrono::milliseconds limit{30'000};  ///< for each test
  std::size_t at_once = 1;                  ///< tests that run at the same time
  bool in_process = false;                  ///< for debuggers: a crash is one
};

struct TestReport {
  std::string name;
  std::string description;
  Outcome outcome;
};

struct LibraryReport {
  std::filesystem::path library;
  std::vector<TestReport> tests;
  std::size_t not_run = 0;  ///< of the skipped: those that only a library which opens could have run

  std::size_t count(Verdict verdict) const;
  /// Nothing failed and nothing crashed.
  bool ok() const { return count(Verdict::failed) + count(Verdict::crashed) == 0; }
};

/// What is heard of a check while it runs. Either may be empty.
struct Listener {
  std::function<void(const TestReport &)> told;  ///< the report of each test that was run, in order
  std::function<void(std::size_t done, std::size_t all)> progress;
};

/// Runs the tests that `options` chooses. Where the library does not open, the others are skipped: the first
/// cause is reported once. Throws Error: no test has a name that `only` wants, or no process can be made.
LibraryReport check_library(const std::filesystem::path &library, const Options &options,
                            const Listener &listener = {});

/// The names and descriptions of all tests.
std::vector<TestReport> list_tests();

// For people. A line takes at most `width` cells (0: whatever it needs), unless a word does not fit. Without
// the last line end.

/// What comes before the reports of one library: where it is, and the seed.
std::string heading(const std::filesystem::path &library, std::uint64_t seed, std::size_t width);
/// How a test ended, and below it the cause where there is one.
std::string to_text(const TestReport &report, std::size_t width);
/// The name and description of a test.
std::string to_entry(const TestReport &test, std::size_t width);
/// `dsh-tool-todo.so: 5 passed, 1 failed, 2 skipped`; where it does not open `0 passed, 1 failed, 7 tests not
/// run`.
std::string summary(const LibraryReport &report, std::size_t width);

/// `{"ok","seed","libraries":[{"library","ok","counts",tests:[{"name","description","status","cause"?,"seconds"}]}]}`
std::string to_json(const std::vector<LibraryReport> &reports, std::uint64_t seed);

}  // namespace dsh::loader::check
