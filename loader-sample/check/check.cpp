#include "check/check.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <utility>

#include "check/subject.hpp"
#include "check/tests.hpp"
#include "text/error.hpp"
#include "text/fnv1a.hpp"

namespace dsh::loader::check {
namespace {

bool matches(const std::vector<std::string> &patterns, std::string_view name) {
  const std::string text(name);
  return std::any_of(patterns.begin(), patterns.end(), [&text](const std::string &pattern) {
    return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
  });
}

std::vector<Test> chosen(const Options &options) {
  std::vector<Test> tests = all_tests();
  std::erase_if(tests, [&options](const Test &test) {
    return (!options.only.empty() && !matches(options.only, test.name)) || matches(options.skip, test.name);
  });
  if (tests.empty()) throw Error("no test is called so; `check --list` names them all");
  return tests;
}

/// Runs `tests`, isolated from each other or in place; `ended` hears of each as it ends, by its number.
void run(const std::vector<Test> &tests, const Target &target, const Options &options,
         const std::function<void(std::size_t number, Outcome outcome)> &ended) {
  std::vector<Body> bodies;
  bodies.reserve(tests.size());
  for (const Test &test : tests)
    bodies.emplace_back([&target, &options, test](const Place &place) {
      // A seed of its own for each test: the others' random choices change nothing in it.
      Subject subject(target, fnv1a(test.name, options.seed), place);
      test.run(subject);
    });
  if (!options.in_process) return run_isolated(bodies, options.limit, options.at_once, ended);
  for (std::size_t i = 0; i < bodies.size(); ++i) ended(i, run_in_place(bodies[i]));
}

/// The reports of tests that end in any order, told in theirs.
class Reports {
 public:
  Reports(const std::vector<Test> &tests, const Listener &listener) : listener_(listener) {
    for (const Test &test : tests)
      all_.push_back({std::string(test.name), std::string(test.description), {}});
    ended_.resize(all_.size());
  }

  void end(std::size_t number, Outcome outcome) {
    all_[number].outcome = std::move(outcome);
    ended_[number] = true;
    for (; told_ < all_.size() && ended_[told_]; ++told_)
      if (listener_.told) listener_.told(all_[told_]);
    if (listener_.progress) {
      const auto done = std::count(ended_.begin(), ended_.end(), true);
      listener_.progress(static_cast<std::size_t>(done), all_.size());
    }
  }
  std::vector<TestReport> take() { return std::move(all_); }

 private:
  const Listener &listener_;
  std::vector<TestReport> all_;
  std::vector<bool> ended_;
  std::size_t told_ = 0;
};

/// The report on a library that does not open: why, once.
LibraryReport not_opened(const std::filesystem::path &library, const std::vector<Test> &tests,
                         const TestReport &opens, const Listener &listener) {
  LibraryReport report{library, {}, 0};
  for (const Test &test : tests) {
    if (test.name == opens.name) continue;
    report.tests.push_back({std::string(test.name),
                            std::string(test.description),
                            {Verdict::skipped, "the library does not open", 0}});
  }
  report.not_run = report.tests.size();
  report.tests.insert(report.tests.begin(), opens);
  if (listener.told) listener.told(opens);
  return report;
}

}  // namespace

std::vector<Test> all_tests() {
  std::vector<Test> all;
  for (const auto part : {&library_tests, &config_tests, &service_tests, &handle_tests, &life_tests,
                          &leak_tests, &tool_tests, &tool_failure_tests, &invariant_tests, &projection_tests,
                          &observer_tests, &process_tests, &host_tests}) {
    const std::vector<Test> tests = part();
    all.insert(all.end(), tests.begin(), tests.end());
  }
  return all;
}

std::size_t LibraryReport::count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(tests.begin(), tests.end(),
                    [verdict](const TestReport &test) { return test.outcome.verdict == verdict; }));
}

std::vector<TestReport> list_tests() {
  std::vector<TestReport> list;
  for (const Test &test : all_tests())
    list.push_back({std::string(test.name), std::string(test.description), {}});
  return list;
}

LibraryReport check_library(const std::filesystem::path &library, const Options &options,
                            const Listener &listener) {
  const Target target{
      library, options.configs, {options.without.begin(), options.without.end()}, options.limit};
  const std::vector<Test> tests = chosen(options);
  const Test opens = all_tests().front();
  TestReport opened{std::string(opens.name), std::string(opens.description), {}};
  run({opens}, target, options,
      [&opened](std::size_t, Outcome outcome) { opened.outcome = std::move(outcome); });
  if (opened.outcome.verdict != Verdict::passed) return not_opened(library, tests, opened, listener);

  Reports reports(tests, listener);
  std::vector<std::size_t> numbers;  // of those that are still to run
  std::vector<Test> rest;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (tests[i].name == opens.name) {
      reports.end(i, opened.outcome);
    } else {
      numbers.push_back(i);
      rest.push_back(tests[i]);
    }
  }
  run(rest, target, options, [&reports, &numbers](std::size_t number, Outcome outcome) {
    reports.end(numbers[number], std::move(outcome));
  });
  return {library, reports.take(), 0};
}

}  // namespace dsh::loader::check
