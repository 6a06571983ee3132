// Every system call of a scenario fails once, twice, three times in a row, in every way.

#include <fcntl.h>
#include <gtest/gtest.h>

#include "durability/fault_ops.hpp"
#include "durability/log_checks.hpp"
#include "durability/simulated_disk.hpp"
#include "log/log_tail.hpp"
#include "support/switches.hpp"
#include "support/temporary_directory.hpp"

namespace dsh::loader {
namespace {

/// A session's life: created, written, closed; then opened with a torn tail and an open turn, repaired,
/// written on. Each step is tried again when it fails, after a look at what the failure left behind.
class Scenario {
 public:
  Scenario(FileOps &real, std::string root) : real_(real), faults_(real), root_(std::move(root)) {}

  /// Returns the events in the log at the end.
  std::vector<std::string> run(const Fault &fault) {
    fault_ = fault;
    faults_.set(fault);
    tried("create", [this] { store_ = storage().create("s", "/home/u"); });
    append("turn/start", R"({"turn":1})", Sync::deferred);
    append("step/start", R"({"turn":1,"step":1})", Sync::deferred);
    append("todo/write", R"({"todos":[{"content":"a","status":"pending"}]})", Sync::now);
    append("step/end", R"({"turn":1,"step":1})", Sync::deferred);
    append("turn/end", R"({"turn":1,"reason":{"kind":"completed"}})", Sync::now);
    append("turn/start", R"({"turn":2})", Sync::now);
    append("step/start", R"({"turn":2,"step":1})", Sync::now);
    store_.reset();
    tear();
    tried("read", [this] {
      std::string decisive;
      read_tail(
          storage().find("s"), {"todo/write", "turn/start"},
          [&](const Event &event) {
            decisive = event.data;
            return true;
          },
          faults_);
      ASSERT_EQ(decisive, R"({"turn":2})");
    });
    tried("open", [this] { store_ = storage().open("s", "/home/u"); });
    acknowledged_ = types();
    append("turn/start", R"({"turn":3})", Sync::now);
    append("turn/end", R"({"turn":3})", Sync::now);
    store_.reset();
    return stored();
  }

  std::int64_t calls() const { return faults_.calls(); }
  const std::string &last_failed() const { return faults_.last(); }
  std::int64_t errors() const { return errors_; }

 private:
  DurableStorage storage() { return {DurableStorage(root_, faults_)}; }

  void append(std::string_view type, std::string_view data, Sync sync) {
    const Event event{store_->size(), 1000, type, data, {}, {}};
    const auto before = types();
    tried(
        "append", [&] { store_->append(event, sync); },
        [&] {
          // Memory is as before, and what is on disk too.
          ASSERT_EQ(types(), before);
          if (fault_.count == 1) {
            ASSERT_EQ(stored(), acknowledged_);
          } else {
            // Not even the way back worked: what was acknowledged is there all the same.
            ASSERT_TRUE(starts_with(stored(), acknowledged_));
          }
        });
    if (sync == Sync::now) {
      acknowledged_ = types();
      ASSERT_EQ(stored(), acknowledged_);
    }
  }

  void tried(
      const char *what, const std::function<void()> &run, const std::function<void()> &look = [] {}) {
    for (int attempt = 0; attempt < 12; ++attempt) {
      try {
        run();
        return;
      } catch (const Error &error) {
        ++errors_;
        ASSERT_NE(std::string(error.what()), "");
        look();
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
    FAIL() << what << " never worked again";
  }

  /// Without time and random ids.
  std::vector<std::string> types() {
    std::vector<std::string> all;
    faults_.pause(true);
    store_->read(0, [&all](const Event &event) {
      all.emplace_back(event.type);
      return true;
    });
    faults_.pause(false);
    return all;
  }

  /// What a reader finds, by way of calls that don't fail.
  std::vector<std::string> stored() const {
    const DurableStorage storage(root_, real_);
    std::vector<std::string> all;
    if (!storage.exists("s")) return all;
    LogSource source(storage.find("s"), real_);
    LogReader reader(source.bytes());
    while (reader.next()) all.emplace_back(reader.stored().event().type);
    return all;
  }

  void tear() {
    const int fd =
        real_.open(DurableStorage(root_, real_).find("s").path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC, 0);
    ASSERT_EQ(real_.write(fd, R"({"type":"todo)", 13), 13);
    real_.close(fd);
  }

  FileOps &real_;
  FaultOps faults_;
  std::string root_;
  Fault fault_;
  std::unique_ptr<EventStore> store_;
  std::vector<std::string> acknowledged_;
  std::int64_t errors_ = 0;
};

void run_all(const std::function<std::vector<std::string>(const Fault &, std::int64_t &calls,
                                                          std::int64_t &errors, std::string &last)> &run) {
  std::int64_t calls = 0;
  std::int64_t errors = 0;
  std::string last;
  const auto wanted = run({}, calls, errors, last);
  ASSERT_EQ(errors, 0);
  ASSERT_GT(calls, 50);
  ASSERT_EQ(wanted.size(), 12U);
  std::int64_t runs = 0;
  std::int64_t failures = 0;
  for (const int error : {ENOSPC, EIO, EDQUOT, EINTR, 0}) {
    for (std::int64_t count = 1; count <= (error == EINTR ? 1 : 3); ++count) {
      for (std::int64_t first = 0; first < calls; ++first) {
        std::int64_t used = 0;
        errors = 0;
        SCOPED_TRACE("errno " + std::to_string(error) + ", calls from " + std::to_string(first) + ", " +
                     std::to_string(count) + " of them");
        ASSERT_EQ(run({first, count, error}, used, errors, last), wanted) << last;
        ++runs;
        failures += errors;
        const bool plain = last == "pread" || last == "write";
        if (count == 1 &&
            ((error == 0 && plain) ||
             (error == EINTR && (plain || last == "open" || last == "fsync" || last == "fdatasync" ||
                                 last == "ftruncate" || last == "flock")))) {
          ASSERT_EQ(errors, 0) << last << " should have been tried again";
        }
      }
    }
  }
  std::printf("%lld calls, %lld runs, %lld failures reported\n", static_cast<long long>(calls),
              static_cast<long long>(runs), static_cast<long long>(failures));
  ASSERT_GT(failures, runs / 2);
}

TEST(FaultTest, on_a_simulated_disk) {
  run_all([](const Fault &fault, std::int64_t &calls, std::int64_t &errors, std::string &last) {
    SimulatedDisk disk;
    Scenario scenario(disk, "/some/where/root");
    const auto events = scenario.run(fault);
    calls = scenario.calls(), errors = scenario.errors(), last = scenario.last_failed();
    return events;
  });
}

TEST(FaultTest, on_a_real_disk) {
  if (!full_run()) GTEST_SKIP() << "DSH_FULL=1 runs it";
  run_all([](const Fault &fault, std::int64_t &calls, std::int64_t &errors, std::string &last) {
    const TemporaryDirectory directory;
    Scenario scenario(system_file_ops(), directory.path() + "/some/where/root");
    const auto events = scenario.run(fault);
    calls = scenario.calls(), errors = scenario.errors(), last = scenario.last_failed();
    return events;
  });
}

}  // namespace
}  // namespace dsh::loader
