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

  std::size_t count(Verdict verdict) const;
  /// Nothing failed and nothing crashed.
  bool ok() const { return count(Verdict::failed) + count(Verdict::crashed) == 0; }
};

/// What is heard of a check while it runs. Either may be empty.
struct Listener {
  std::function<void(const TestReport &)> told;  ///< each test's report, in order
  std::function<void(std::size_t done, std::size_t all)> progress;
};

/// Runs the tests that `options` chooses. Where the library does not open, the others are skipped: the first
/// cause is reported once. Throws Error: no test has a name that `only` wants, or no process can be made.
LibraryReport check_library(const std::filesystem::path &library, const Options &options,
                            const Listener &listener = {});

/// The names and descriptions of all tests.
std::vector<TestReport> list_tests();

/// One line for people, two where there is a cause; without line end.
std::string to_text(const TestReport &report);
/// `dsh-tool-todo.so: 60 passed, 1 failed, 2 skipped`
std::string summary(const LibraryReport &report);
/// `{"ok","seed","libraries":[{"library","ok","counts",tests:[{"name","description","status","cause"?,"seconds"}]}]}`
std::string to_json(const std::vector<LibraryReport> &reports, std::uint64_t seed);

}  // namespace dsh::loader::check
