#include "agent/plan_at_end.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "log/log_line.hpp"
#include "support/error_of.hpp"
#include "support/temporary_directory.hpp"
#include "unit/services/fixture.hpp"

namespace dsh::loader {
namespace {

using testing_support::refuse;
using testing_support::unit;
using testing_support::write;

/// The size of what was set; data that begins with `"no` is refused.
std::int32_t DSH_CALL decide(void * /*user*/, const dsh_str * /*state*/, const dsh_event *event,
                             const dsh_out *next, const dsh_error *error) {
  const std::string_view data = from_abi(event->data);
  if (data.starts_with("\"no")) return refuse(error, "no good");
  write(next, std::to_string(data.size()));
  return DSH_OK;
}

/// An audit of a log of `set` events, whose last list is longer than what is held.
class PlanAtEndTest : public ::testing::Test {
 protected:
  PlanAtEndTest() {
    host_.services().gate.change([&] { host_.projections().add(descriptor_, {}); });
  }
  ~PlanAtEndTest() override {
    host_.services().gate.change([&] { host_.projections().remove(descriptor_, {}); });
  }

  /// A JSON text of so many characters.
  static std::string text(std::size_t size, const std::string &start = "") {
    return '"' + start + std::string(size, 'x') + '"';
  }

  LogFile log(const std::vector<std::string> &sets) {
    std::string lines = R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
                        "\n";
    for (std::size_t seq = 0; seq < sets.size(); ++seq)
      append_event_line(lines, {static_cast<std::int64_t>(seq), 0, "set", sets[seq], {}, {}});
    return {root_.write("session.jsonl", lines), 0, false};
  }

  void take_all(PlanAtEnd &plan, const LogFile &file) {
    AuditOptions options;
    options.fold = [&plan](const Event &event) { plan.take(event); };
    ASSERT_TRUE(audit_log(file, options).ok);
  }

  std::string plan_of(const std::vector<std::string> &sets) {
    const LogFile file = log(sets);
    PlanAtEnd plan(fold(), file);
    take_all(plan, file);
    plan.finish({});
    return fold().json();
  }

  PlanFold &fold() {
    if (!fold_) fold_.emplace(host_);
    return *fold_;
  }

  static constexpr std::size_t long_list = std::size_t{2} << 20;

 private:
  TemporaryDirectory root_;
  Diagnostics diagnostics_{Level::off};
  PluginHost host_{{PluginPaths({}), nullptr, {}}, diagnostics_};
  std::array<dsh_str, 1> types_ = {dsh_str DSH_STR("set")};
  dsh_unit unit_ = [this] {
    dsh_unit deciding = unit(decide, "todos");
    deciding.flags = DSH_DECISIVE;
    deciding.types = types_.data();
    deciding.type_count = types_.size();
    return deciding;
  }();
  UnitDescriptor descriptor_{&unit_};
  std::optional<PlanFold> fold_;
};

TEST_F(PlanAtEndTest, the_last_list_that_folds_is_the_plan) {
  EXPECT_EQ(plan_of({}), "null");
  EXPECT_EQ(plan_of({text(1), text(3)}), "5");
  EXPECT_EQ(plan_of({text(1), text(3), text(7, "no")}), "5");
  EXPECT_EQ(plan_of({text(7, "no")}), "null");
}

TEST_F(PlanAtEndTest, and_so_of_lists_that_are_not_held) {
  EXPECT_EQ(plan_of({text(1), text(long_list)}), std::to_string(long_list + 2));
  EXPECT_EQ(plan_of({text(1), text(long_list, "no")}), "3");
  EXPECT_EQ(plan_of({text(long_list), text(long_list, "no"), text(1, "no")}), std::to_string(long_list + 2));
}

TEST_F(PlanAtEndTest, no_older_plan_is_taken_for_that_of_a_log_that_is_gone) {
  const LogFile file = log({text(1), text(long_list)});
  PlanAtEnd plan(fold(), file);
  take_all(plan, file);
  std::filesystem::remove(file.path);
  EXPECT_THAT(error_of([&] { plan.finish({}); }), ::testing::HasSubstr("could not be read again"));
  EXPECT_EQ(fold().json(), "null");
}

TEST_F(PlanAtEndTest, nor_for_that_of_a_log_that_was_cut) {
  const LogFile file = log({text(1), text(long_list)});
  PlanAtEnd plan(fold(), file);
  take_all(plan, file);
  std::filesystem::resize_file(file.path, 200);
  EXPECT_THAT(error_of([&] { plan.finish({}); }), ::testing::HasSubstr("could not be read again"));
  EXPECT_EQ(fold().json(), "null");
}

}  // namespace
}  // namespace dsh::loader
