#include <algorithm>
#include <filesystem>
#include <random>
#include <thread>
#include <utility>

#include "check/check.hpp"
#include "commands/commands.hpp"
#include "commands/progress.hpp"
#include "text/error.hpp"
#include "text/json_array.hpp"
#include "text/json_text.hpp"
#include "text/visible.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

namespace fs = std::filesystem;

check::Options options_of(const CommonOptions &common, const CheckRequest &request) {
  check::Options options;
  for (const std::string &config : request.configs)
    if (const JsonCheck checked = check_json(config); !checked)
      throw Error("--config " + visible(config) + " is not JSON: " + checked.fault);
  options.configs = request.configs;
  options.only = request.only;
  options.skip = request.skip;
  options.without = common.without;
  options.limit = std::chrono::milliseconds(request.limit_seconds * 1000);
  options.at_once = request.jobs != 0 ? request.jobs : std::max(1U, std::thread::hardware_concurrency());
  options.in_process = request.in_process;
  if (request.seed != 0) {
    options.seed = request.seed;
  } else {
    std::random_device device;
    options.seed = device() % 1'000'000'000 + 1;
  }
  return options;
}

std::string test_json(const check::TestReport &test) {
  return "{\"name\":" + json_string(test.name) + ",\"description\":" + json_string(test.description) + '}';
}

int list(const CommonOptions &common, const Output &output, std::size_t width) {
  const std::vector<check::TestReport> tests = check::list_tests();
  if (common.json) {
    output.write_json(json_array(tests, test_json) + '\n');
    return exit_done;
  }
  for (const check::TestReport &test : tests) output.write(check::to_entry(test, width) + "\n");
  return exit_done;
}

/// Where the report goes, and in what form.
struct Form {
  const Output &output;
  std::size_t width;
  bool json;
  bool quiet;  ///< only what did not pass
};

check::LibraryReport check_one(const fs::path &library, const check::Options &options, const Form &form) {
  Progress progress;
  std::string heading = check::heading(library, options.seed, form.width) + "\n";
  check::Listener listener;
  listener.told = [&](const check::TestReport &test) {
    if (form.json) return;
    const bool all_is_well =
        test.outcome.verdict == check::Verdict::passed || test.outcome.verdict == check::Verdict::skipped;
    const std::string lines =
        form.quiet && all_is_well ? std::string() : check::to_text(test, form.width) + "\n";
    progress.wipe();
    form.output.write(std::exchange(heading, {}) + lines);
  };
  listener.progress = [&](std::size_t done, std::size_t all) {
    progress.show(
        std::to_string(done) + " of " + std::to_string(all) + " tests of " + library.filename().string(),
        done, all);
  };
  return check::check_library(library, options, listener);
}

/// Throws Error where there is no file of that name that could be a library.
void require_file(const std::string &library) {
  std::error_code error;
  const fs::file_type type = fs::status(library, error).type();
  std::string why;
  if (type == fs::file_type::not_found)
    why = "there is no such file";
  else if (error)
    why = error.message();
  else if (type == fs::file_type::directory)
    why = "it is a directory";
  else if (type != fs::file_type::regular)
    why = "it is no regular file";
  if (!why.empty()) throw Error("can't check " + visible(library) + ": " + why + "; name the library's file");
}

}  // namespace

int check_command(const CommonOptions &common, const CheckRequest &request, const Output &output) {
  const std::size_t width = detect_style(output.descriptor()).width;
  if (request.list) return list(common, output, width);
  if (request.libraries.empty()) throw Error("name a library to check: loader-sample check ./my-plugin.so");
  for (const std::string &library : request.libraries) require_file(library);
  const check::Options options = options_of(common, request);
  std::vector<check::LibraryReport> reports;
  for (const std::string &name : request.libraries) {
    const fs::path library = fs::absolute(name);
    reports.push_back(check_one(library, options, {output, width, common.json, request.quiet}));
    if (!common.json) output.write(check::summary(reports.back(), width) + "\n");
  }
  if (common.json) output.write_json(check::to_json(reports, options.seed) + "\n");
  for (const check::LibraryReport &report : reports)
    if (!report.ok()) return exit_found;
  return exit_done;
}

}  // namespace dsh::loader
