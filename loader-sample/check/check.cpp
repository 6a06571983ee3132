#include "check/check.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <utility>

#include "check/subject.hpp"
#include "check/tests.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/visible.hpp"

namespace dsh::loader::check {
namespace {

constexpr std::array verdicts = {Verdict::passed, Verdict::failed, Verdict::crashed, Verdict::skipped,
                                 Verdict::warning};

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

/// A seed of its own for each test: the others' random choices change nothing in it.
std::uint64_t seed_of(std::uint64_t seed, std::string_view name) {
  std::uint64_t mixed = 14695981039346656037ULL ^ seed;
  for (const char byte : name) mixed = (mixed ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  return mixed;
}

/// Runs `tests`, isolated from each other or in place; `ended` hears of each as it ends, by its number.
void run(const std::vector<Test> &tests, const Target &target, const Options &options,
         const std::function<void(std::size_t number, Outcome outcome)> &ended) {
  std::vector<Body> bodies;
  bodies.reserve(tests.size());
  for (const Test &test : tests) {
    bodies.emplace_back([&target, &options, test](const Step &step) {
      Subject subject(target, seed_of(options.seed, test.name), step);
      test.run(subject);
    });
  }
  if (!options.in_process) return run_isolated(bodies, options.limit, options.at_once, ended);
  for (std::size_t i = 0; i < bodies.size(); ++i) ended(i, run_in_place(bodies[i]));
}

std::string padded(std::string_view text, std::size_t width) {
  std::string column(text);
  column.resize(std::max(width, column.size()), ' ');
  return column;
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
    for (; told_ < all_.size() && ended_[told_]; ++told_) {
      if (listener_.told) listener_.told(all_[told_]);
    }
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

}  // namespace

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
  const Target target{library, options.configs, {options.without.begin(), options.without.end()}};
  std::vector<Test> tests = chosen(options);
  const Test opens = all_tests().front();
  Outcome opened;
  run({opens}, target, options, [&opened](std::size_t, Outcome outcome) { opened = std::move(outcome); });
  const bool usable = opened.verdict == Verdict::passed;
  const auto is_opens = [&opens](const Test &test) { return test.name == opens.name; };
  if (!usable && std::none_of(tests.begin(), tests.end(), is_opens)) tests.push_back(opens);

  Reports reports(tests, listener);
  std::vector<std::size_t> numbers;  // of those that are still to run
  std::vector<Test> rest;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (is_opens(tests[i])) {
      reports.end(i, opened);
    } else if (!usable) {
      reports.end(i, {Verdict::skipped, "the library does not open", 0});
    } else {
      numbers.push_back(i);
      rest.push_back(tests[i]);
    }
  }
  run(rest, target, options, [&reports, &numbers](std::size_t number, Outcome outcome) {
    reports.end(numbers[number], std::move(outcome));
  });
  return {library, reports.take()};
}

std::string to_text(const TestReport &report) {
  std::string text =
      padded(to_string(report.outcome.verdict), 8) + " " + padded(report.name, 24) + " " + report.description;
  if (!report.outcome.cause.empty()) text += "\n         " + visible(report.outcome.cause);
  return text;
}

std::string summary(const LibraryReport &report) {
  std::string text = visible(report.library.string()) + ":";
  bool first = true;
  for (const Verdict verdict : verdicts) {
    const std::size_t count = report.count(verdict);
    if (count == 0 && verdict != Verdict::passed) continue;
    text += (first ? " " : ", ") + std::to_string(count) + " " + std::string(to_string(verdict));
    first = false;
  }
  return text;
}

std::string to_json(const std::vector<LibraryReport> &reports, std::uint64_t seed) {
  const bool ok =
      std::all_of(reports.begin(), reports.end(), [](const LibraryReport &report) { return report.ok(); });
  std::string json = std::string("{\"ok\":") + (ok ? "true" : "false") + ",\"seed\":" + std::to_string(seed) +
                     ",\"libraries\":[";
  for (const LibraryReport &report : reports) {
    if (&report != reports.data()) json += ',';
    json += "{\"library\":" + json_string(report.library.string()) +
            ",\"ok\":" + (report.ok() ? "true" : "false") + ",\"counts\":{";
    for (const Verdict verdict : verdicts) {
      if (verdict != verdicts.front()) json += ',';
      json += json_string(to_string(verdict)) + ":" + std::to_string(report.count(verdict));
    }
    json += "},\"tests\":[";
    for (const TestReport &test : report.tests) {
      if (&test != report.tests.data()) json += ',';
      json += "{\"name\":" + json_string(test.name) + ",\"description\":" + json_string(test.description) +
              ",\"status\":" + json_string(to_string(test.outcome.verdict));
      if (!test.outcome.cause.empty()) json += ",\"cause\":" + json_string(visible(test.outcome.cause));
      json += ",\"seconds\":" + json_number(test.outcome.seconds) + "}";
    }
    json += "]}";
  }
  return json + "]}";
}

}  // namespace dsh::loader::check
