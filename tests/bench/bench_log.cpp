// Logs on disk: auditing one beside finding its line ends, and the plan of logs of several sizes.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "limit.hpp"
#include "log/log_audit.hpp"
#include "log/log_tail.hpp"
#include "support/log_generator.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace dsh;

/// A generated log of so many megabytes, removed with it.
class StoredLog {
 public:
  explicit StoredLog(std::int64_t megabytes) {
    LogShape shape;
    shape.bytes = static_cast<std::uint64_t>(megabytes) * 1'000'000;
    const auto path = std::filesystem::path(directory_.path()) / "_no-cwd" / shape.id;
    std::filesystem::create_directories(path);
    log_.path = path / "session.jsonl";
    std::ofstream file(log_.path, std::ios::binary);
    LogGenerator(shape).run([&file](std::string_view lines) {
      file.write(lines.data(), static_cast<std::streamsize>(lines.size()));
    });
  }

  const loader::LogFile &log() const { return log_; }
  std::int64_t bytes() const { return static_cast<std::int64_t>(std::filesystem::file_size(log_.path)); }

 private:
  TemporaryDirectory directory_;
  loader::LogFile log_;
};

void audit(benchmark::State &state) {
  const StoredLog stored(state.range(0));
  for ([[maybe_unused]] auto _ : state) {
    const loader::AuditReport report = loader::audit_log(stored.log(), {});
    if (!report.ok) state.SkipWithError("the log is not sound");
  }
  state.SetBytesProcessed(state.iterations() * stored.bytes());
}

void line_ends(benchmark::State &state) {
  const StoredLog stored(state.range(0));
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(bench::count_lines(stored.log().path.c_str()));
  state.SetBytesProcessed(state.iterations() * stored.bytes());
}

void plan(benchmark::State &state) {
  const StoredLog stored(state.range(0));
  for ([[maybe_unused]] auto _ : state) {
    const loader::TailResult tail = loader::read_tail(stored.log(), {"todo/write", "turn/start"},
                                                      [](const loader::Event &) { return true; });
    if (!tail.found) state.SkipWithError("there is no plan");
  }
}

BENCHMARK(audit)->ArgName("MB")->Arg(10);
BENCHMARK(line_ends)->ArgName("MB")->Arg(10);
BENCHMARK(plan)->ArgName("MB")->Arg(1)->Arg(10)->Arg(100);

}  // namespace
