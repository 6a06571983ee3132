#include <algorithm>
#include <filesystem>
#include <random>
#include <thread>
#include <utility>

#include "check/check.hpp"
#include "commands/commands.hpp"
#include "commands/progress.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

namespace fs = std::filesystem;

check::Options options_of(const CommonOptions &common, const CheckRequest &request) {
  check::Options options;
  for (const std::string &config : request.configs) {
    if (const JsonCheck checked = check_json(config); !checked) {
      throw Error("--config " + visible(config) + " is not JSON: " + checked.fault);
    }
  }
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

int list(const CommonOptions &common, const Output &output) {
  std::string text;
  for (const check::TestReport &test : check::list_tests()) {
    if (common.json) {
      text += (text.empty() ? "" : ",") + ("{\"name\":" + json_string(test.name)) +
              ",\"description\":" + json_string(test.description) + "}";
    } else {
      text += test.name + std::string(26 - std::min<std::size_t>(test.name.size(), 25), ' ') +
              test.description + "\n";
    }
  }
  output.write(common.json ? "[" + text + "]\n" : text);
  return kDone;
}

check::LibraryReport check_one(const fs::path &library, const check::Options &options, bool json, bool quiet,
                               const Output &output) {
  Progress progress;
  std::string heading = visible(library.string()) + ", seed " + std::to_string(options.seed) + "\n";
  check::Listener listener;
  listener.told = [&](const check::TestReport &test) {
    if (json) return;
    const bool all_is_well =
        test.outcome.verdict == check::Verdict::passed || test.outcome.verdict == check::Verdict::skipped;
    const std::string line = quiet && all_is_well ? std::string() : check::to_text(test) + "\n";
    progress.wipe();
    output.write(std::exchange(heading, {}) + line);
  };
  listener.progress = [&](std::size_t done, std::size_t all) {
    progress.show(
        std::to_string(done) + " of " + std::to_string(all) + " tests of " + library.filename().string(),
        done, all);
  };
  return check::check_library(library, options, listener);
}

}  // namespace

int check_command(const CommonOptions &common, const CheckRequest &request, const Output &output) {
  if (request.list) return list(common, output);
  if (request.libraries.empty()) throw Error("name a library to check: loader-sample check ./my-plugin.so");
  for (const std::string &library : request.libraries) {
    if (!fs::is_regular_file(library))
      throw Error("cannot check " + visible(library) + ": there is no such file; name the library's file");
  }
  const check::Options options = options_of(common, request);
  std::vector<check::LibraryReport> reports;
  for (const std::string &name : request.libraries) {
    const fs::path library = fs::absolute(name);
    reports.push_back(check_one(library, options, common.json, request.quiet, output));
    if (!common.json) output.write(check::summary(reports.back()) + "\n");
  }
  if (common.json) output.write(check::to_json(reports, options.seed) + "\n");
  for (const check::LibraryReport &report : reports) {
    if (!report.ok()) return kFound;
  }
  return kDone;
}

}  // namespace dsh::loader
