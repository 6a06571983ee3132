#include "agent/plan_reader.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "log/log_line.hpp"
#include "log/log_reader.hpp"
#include "support/switches.hpp"
#include "support/temporary_directory.hpp"
#include "text/error.hpp"
#include "unit/services/fixture.hpp"

namespace dsh::loader {
namespace {

using testing_support::refuse;
using testing_support::unit;
using testing_support::write;

/// The last `set` or `also-set` decides, but for one of 7, which fails.
std::int32_t DSH_CALL decide(void * /*user*/, const dsh_str * /*state*/, const dsh_event *event,
                             const dsh_out *next, const dsh_error *error) {
  if (from_abi(event->data) == "7") return refuse(error, "no good");
  write(next, from_abi(event->data));
  return DSH_OK;
}

/// Every event counts, whatever its type.
std::int32_t DSH_CALL add_up(void * /*user*/, const dsh_str *state, const dsh_event *event,
                             const dsh_out *next, const dsh_error * /*error*/) {
  const std::string former(from_abi(*state));
  write(next, (former == "null" ? "" : former) + std::string(from_abi(event->data)));
  return DSH_OK;
}

/// What is known of a log: a reader's answer, or why there is none.
struct Answer {
  std::string plan;
  std::int64_t events = 0;
  std::int64_t set_by = -1;
  bool operator==(const Answer &) const = default;
};

std::ostream &operator<<(std::ostream &out, const Answer &answer) {
  return out << answer.plan << " of " << answer.events << " events, set by " << answer.set_by;
}

Answer answer_of(PlanReader &reader, const LogFile &log) {
  try {
    reader.read(log);
  } catch (const Error &error) {
    return {error.text(), 0, -1};
  }
  return {reader.standing().json(), reader.events(), reader.set_by()};
}

/// A log to which everything happens that may happen to one while it is followed.
class ChangingLog {
 public:
  ChangingLog(const TemporaryDirectory &root, std::uint32_t seed) : random_(seed) {
    file_ = {root.write("_no-cwd/s/session.jsonl", header), 0, false};
  }

  const LogFile &file() const { return file_; }

  void change() {
    switch (below(9)) {
      case 0:
        return append("damage", below(2) == 0 ? "\n" : "");
      case 1:
        return cut();
      case 2:
        return rewrite();
      case 3:
        rewrite();
        return append_event();
      case 4:
        return replace();
      default:
        for (std::size_t count = 1 + below(3); count > 0; --count) append_event();
    }
  }

 private:
  static constexpr const char *header =
      R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
      "\n";

  std::size_t below(std::size_t bound) { return random_() % bound; }

  std::string text() const {
    std::ifstream in(file_.path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  void append(std::string_view text, std::string_view end) const {
    std::ofstream(file_.path, std::ios::app) << text << end;
  }

  void append_event() {
    static constexpr std::array<const char *, 4> types = {"set", "also-set", "other", "turn/end"};
    std::int64_t next = 0;
    try {
      LogSource source(file_);
      LogReader reader(source.bytes());
      while (reader.next()) next = reader.events();
    } catch (const Error &) {
      return cut();  // it is corrupt
    }
    std::string line;
    append_event_line(line, {next, 1, types.at(below(types.size())), std::to_string(1 + below(9)), {}, {}});
    append(line, "");
  }

  void cut() { std::filesystem::resize_file(file_.path, std::string(header).size() + below(200)); }

  /// Other data in the place of some event's.
  void rewrite() {
    std::string bytes = text();
    for (std::size_t at = bytes.find("\"data\":"); at != std::string::npos;
         at = bytes.find("\"data\":", at)) {
      at += 7;
      if (below(3) == 0 && at < bytes.size()) bytes[at] = static_cast<char>('1' + below(9));
    }
    std::fstream(file_.path, std::ios::in | std::ios::out) << bytes;
  }

  void replace() {
    rewrite();
    std::filesystem::copy_file(file_.path, file_.path + ".new");
    std::filesystem::rename(file_.path + ".new", file_.path);
  }

  std::mt19937 random_;
  LogFile file_;
};

class PlanReaderTest : public ::testing::Test {
 protected:
  void follow_and_compare(const dsh_unit &todos) {
    const UnitDescriptor descriptor(&todos);
    host_.services().gate.change([&] { host_.projections().add(descriptor, {}); });
    std::size_t plans = 0;
    const std::uint32_t first = test_seed(20);
    for (std::uint32_t seed = first; seed < first + (full_run() ? 2000 : 60); ++seed) {
      const TemporaryDirectory root;
      ChangingLog log(root, seed);
      PlanReader follower(host_);
      for (int step = 0; step < 40; ++step) {
        log.change();
        PlanReader fresh(host_);
        const Answer wanted = answer_of(fresh, log.file());
        ASSERT_EQ(answer_of(follower, log.file()), wanted) << "seed " << seed << ", step " << step;
        plans += wanted.set_by >= 0 ? 1 : 0;
      }
    }
    EXPECT_GT(plans, 200U);
    host_.services().gate.change([&] { host_.projections().remove(descriptor, {}); });
  }

  const Diagnostics diagnostics_{Level::off};
  PluginHost host_{{PluginPaths({}), nullptr, {}}, diagnostics_};
};

TEST_F(PlanReaderTest, tells_of_a_log_that_it_follows_what_a_new_reader_tells) {
  dsh_unit todos = unit(decide, "todos");
  const std::array<dsh_str, 2> types = {dsh_str DSH_STR("set"), dsh_str DSH_STR("also-set")};
  todos.flags = DSH_DECISIVE;
  todos.types = types.data();
  todos.type_count = types.size();
  follow_and_compare(todos);
}

TEST_F(PlanReaderTest, and_so_of_a_plan_for_which_every_event_counts) {
  follow_and_compare(unit(add_up, "todos"));
}

}  // namespace
}  // namespace dsh::loader
