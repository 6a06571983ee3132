#include "measure_log.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "agent/plan_fold.hpp"
#include "clock.hpp"
#include "commands/commands.hpp"
#include "commands/loaded_host.hpp"
#include "durability/fault_ops.hpp"
#include "inputs.hpp"
#include "json_line.hpp"
#include "limit.hpp"
#include "log/durable_storage.hpp"
#include "log/log_tail.hpp"
#include "todo_host.hpp"
#include "view/paragraph.hpp"
#include "view/plan_view.hpp"
#include "view/terminal.hpp"

namespace dsh::bench {
namespace {

const std::string session_id = "measured";

class Storage final : public loader::SessionStorage {
 public:
  explicit Storage(std::string root, loader::FileOps &ops = loader::system_file_ops())
      : storage_(std::move(root), ops) {}

  bool exists(std::string_view id) const override { return storage_.exists(std::string(id)); }
  std::unique_ptr<loader::EventStore> create(std::string_view id, std::int64_t seed_length) override {
    return storage_.create(std::string(id), {}, seed_length);
  }
  std::unique_ptr<loader::EventStore> open(std::string_view id, const Admit &admit) override {
    return storage_.open(std::string(id), {}, admit);
  }
  std::string log() const { return storage_.find(session_id).path; }

 private:
  loader::DurableStorage storage_;
};

/// The real calls, but nothing waits for the disk.
class Unsynced final : public loader::FaultOps {
 public:
  Unsynced() : FaultOps(loader::system_file_ops()) {}
  int fsync(int) override { return 0; }
  int fdatasync(int) override { return 0; }
};

/// What was appended to a file since it was last asked.
class Appended {
 public:
  explicit Appended(const std::string &path)
      : file_(loader::system_file_ops(), ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (!file_) loader::throw_errno("can't open " + path);
    take();
  }

  std::string take() {
    struct stat status {};
    if (::fstat(file_.fd(), &status) != 0) loader::throw_errno("can't look at the log");
    std::string bytes(static_cast<std::size_t>(status.st_size - offset_), '\0');
    if (::pread(file_.fd(), bytes.data(), bytes.size(), offset_) != std::ssize(bytes))
      loader::throw_errno("can't read the log");
    offset_ = status.st_size;
    return bytes;
  }

 private:
  loader::File file_;
  off_t offset_ = 0;
};

struct Cost {
  double cpu;
  double wall;
};

template <typename Work>
Cost cost_of(const Work &work) {
  const Cost before{cpu_us(), wall_us()};
  work();
  return {cpu_us() - before.cpu, wall_us() - before.wall};
}

double median(const std::vector<Cost> &costs, double Cost::*part) {
  std::vector<double> sorted;
  for (const Cost &cost : costs) sorted.push_back(cost.*part);
  std::nth_element(sorted.begin(), sorted.begin() + std::ssize(sorted) / 2, sorted.end());
  return sorted[sorted.size() / 2];
}

struct Memory {
  double heap;
  double rss;
};

Memory memory_now() {
  std::ifstream statm("/proc/self/statm");
  double size = 0;
  double resident = 0;
  statm >> size >> resident;
  return {static_cast<double>(mallinfo2().uordblks), resident * static_cast<double>(sysconf(_SC_PAGESIZE))};
}

std::uint64_t longest_line(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::size_t longest = 0;
  while (std::getline(file, line)) longest = std::max(longest, line.size() + 1);
  return longest;
}

}  // namespace

std::string measure_durable(std::size_t items, std::size_t calls, const std::string &directory) {
  const auto texts = argument_texts(items, Content::ordinary);
  Storage storage(directory);
  TodoHost host(&storage);
  const auto session = host.open_turn(session_id);
  Appended appended(storage.log());
  const std::string plain_path = directory + "/plain";
  const loader::File plain(loader::system_file_ops(),
                           ::open(plain_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!plain) loader::throw_errno("can't open " + plain_path);
  std::vector<Cost> ours;
  std::vector<Cost> limit;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < calls; ++i) {
    ours.push_back(cost_of([&] { host.call(*session, texts[i % texts.size()]); }));
    const std::string line = appended.take();
    limit.push_back(cost_of([&] {
      if (::write(plain.fd(), line.data(), line.size()) != std::ssize(line) || ::fdatasync(plain.fd()) != 0)
        loader::throw_errno("can't write " + plain_path);
    }));
    bytes += line.size();
  }
  return json_line({{"ours_us", median(ours, &Cost::cpu)},
                    {"limit_us", median(limit, &Cost::cpu)},
                    {"ours_wall_us", median(ours, &Cost::wall)},
                    {"limit_wall_us", median(limit, &Cost::wall)},
                    {"bytes", bytes / calls}});
}

std::string measure_memory(std::size_t calls, const std::string &directory) {
  const auto texts = argument_texts(10, Content::ordinary);
  Unsynced ops;
  Storage storage(directory, ops);
  TodoHost host(&storage);
  const auto session = host.open_turn(session_id);
  const std::size_t start = calls / 10;
  Memory before{};
  for (std::size_t i = 0; i < calls; ++i) {
    if (i == start) before = memory_now();
    host.call(*session, texts[i % texts.size()]);
  }
  const Memory after = memory_now();
  const auto events = static_cast<double>(calls - start);
  return json_line({{"heap_bytes", (after.heap - before.heap) / events},
                    {"rss_bytes", (after.rss - before.rss) / events}});
}

std::string measure_lines(const std::string &file) {
  count_lines(file.c_str());  // from now on the file is in memory
  const double before = cpu_us();
  const std::uint64_t lines = count_lines(file.c_str());
  const double after = cpu_us();
  return json_line({{"cpu_us", after - before}, {"lines", lines}, {"longest", longest_line(file)}});
}

std::string measure_plan(const std::string &root, const std::string &id) {
  loader::CommonOptions options;
  options.composition = DSH_BENCH_COMPOSITION;
  options.plugins = {DSH_BENCH_PLUGINS};
  loader::LoadedHost host(options, loader::Keep::memory);
  host.load_or_name_file();
  const loader::File nowhere(loader::system_file_ops(), ::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const double before = cpu_us();
  loader::PlanFold fold(*host);
  loader::read_tail(loader::DurableStorage(root).find(id), fold.decisive_types(),
                    [&](const loader::Event &event) { return fold.take(event); });
  const std::string text =
      loader::joined(loader::plan_lines(fold.plan(), loader::detect_style(nowhere.fd())));
  if (::write(nowhere.fd(), text.data(), text.size()) != std::ssize(text)) loader::throw_errno("can't write");
  const double after = cpu_us();
  return json_line({{"cpu_us", after - before}});
}

}  // namespace dsh::bench
