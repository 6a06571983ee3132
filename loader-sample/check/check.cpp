#include "check/check.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cstdio>

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

Outcome run(const Test &test, const Target &target, const Options &options) {
  const auto body = [&](const Step &step) {
    Subject subject(target, seed_of(options.seed, test.name), step);
    test.run(subject);
  };
  return options.in_process ? run_in_place(body) : run_isolated(body, options.limit);
}

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
                            const std::function<void(const TestReport &)> &told) {
  const Target target{library, options.configs, {options.without.begin(), options.without.end()}};
  const std::vector<Test> tests = chosen(options);
  LibraryReport report{library, {}};
  const Test opens = all_tests().front();
  const Outcome opened = run(opens, target, options);
  const bool usable = opened.verdict == Verdict::passed;
  for (const Test &test : tests) {
    TestReport one{std::string(test.name), std::string(test.description), {}};
    if (test.name == opens.name) {
      one.outcome = opened;
    } else if (usable) {
      one.outcome = run(test, target, options);
    } else {
      one.outcome = {Verdict::skipped, "the library does not open", 0};
    }
    report.tests.push_back(std::move(one));
    if (told) told(report.tests.back());
  }
  if (!usable && !matches(options.only.empty() ? std::vector<std::string>{"*"} : options.only, opens.name)) {
    report.tests.push_back({std::string(opens.name), std::string(opens.description), opened});
    if (told) told(report.tests.back());
  }
  return report;
}

std::string to_text(const TestReport &report) {
  std::array<char, 128> line{};
  std::snprintf(line.data(), line.size(), "%-8s %-24s ",
                std::string(to_string(report.outcome.verdict)).c_str(), report.name.c_str());
  std::string text = line.data() + report.description;
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
