// What projections make of checkpoints.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>

#include "last_unit.hpp"

namespace dsh::loader {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

struct RestoreTest : ProjectionsTest {
  void SetUp() override { add(descriptor); }

  static std::vector<Event> events(std::int64_t from) {
    const std::vector<Event> all = {{0, 0, "clear", "{}", "", ""},
                                    {1, 0, "set", "[1]", "", ""},
                                    {2, 0, "zoo/fed", "{}", "", ""},
                                    {3, 0, "clear", "{}", "", ""},
                                    {4, 0, "set", "[2]", "", ""}};
    return {all.begin() + from, all.end()};
  }

  std::string restored(const Checkpoint &rows, const std::vector<Event> &events, std::int64_t base) {
    const auto [snapshot, checkpoint] = services.projections.restore(rows, events, base);
    return std::to_string(snapshot.as_of_seq) + " " +
           (snapshot.values.empty() ? "" : snapshot.values[0].second) + " " + checkpoint_json(checkpoint);
  }
};

TEST_F(RestoreTest, goes_on_from_a_row_that_counts) {
  EXPECT_EQ(restored({}, events(0), 0), R"(4 [2] {"last":{"ver":2,"seq":4,"val":[2]}})");
  EXPECT_EQ(restored({}, {}, 0), R"(-1 null {"last":{"ver":2,"seq":-1,"val":null}})");
  EXPECT_EQ(restored({{"last", 2, 4, "[9]"}}, {}, 5), R"(4 [9] {"last":{"ver":2,"seq":4,"val":[9]}})");
  EXPECT_EQ(restored({{"last", 2, 2, "[9]"}}, events(3), 3), R"(4 [2] {"last":{"ver":2,"seq":4,"val":[2]}})");
  EXPECT_EQ(restored({{"last", 2, 4, "[9]"}, {"zoo", 1, 4, "7"}}, events(0), 0),
            R"(4 [9] {"last":{"ver":2,"seq":4,"val":[9]}})");
}

TEST_F(RestoreTest, refolds_where_a_row_does_not_count) {
  EXPECT_EQ(restored({{"last", 1, 4, "\"x\""}}, events(0), 0),
            R"(4 [2] {"last":{"ver":2,"seq":4,"val":[2]}})");
  EXPECT_EQ(restored({{"last", 2, 9, "[9]"}}, events(0), 0), R"(4 [2] {"last":{"ver":2,"seq":4,"val":[2]}})");
}

TEST_F(RestoreTest, says_from_where_to_read_again) {
  const std::string from_three =
      "session projection \"last\" cannot restore from seq 3: its checkpoint row is missing, "
      "version-mismatched, or beyond the supplied log end; re-read from seq 0";
  EXPECT_EQ(error_of([&] { restored({}, events(3), 3); }), from_three);
  EXPECT_EQ(error_of([&] { restored({{"last", 1, 3, "[9]"}}, events(3), 3); }), from_three);
  EXPECT_EQ(error_of([&] { restored({{"last", 2, 5, "[9]"}}, events(3), 3); }), from_three);
  EXPECT_EQ(error_of([&] { restored({{"last", 2, 1, "[9]"}}, events(3), 3); }), from_three);
}

TEST_F(RestoreTest, refuses_malformed_rows_and_states) {
  EXPECT_EQ(error_of([&] { restored({{"last", 2, 4, "\"x\""}}, events(0), 0); }), "the row is malformed");
  EXPECT_EQ(error_of([&] { restored({{"last", 2, -1, "\"x\""}}, events(0), 0); }), "the row is malformed");
  EXPECT_THAT(error_of([&] { restored({{"last", 2, 4, ""}}, events(0), 0); }), HasSubstr("has no value"));
  std::vector<Event> bad = events(1);
  bad[3].data = "\"x\"";
  EXPECT_EQ(error_of([&] { restored({{"last", 2, 1, "[1]"}}, bad, 1); }), "the state is malformed");
}

TEST_F(RestoreTest, refuses_seqs_that_cannot_be) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t base : {std::int64_t{-1}, least, most})
    EXPECT_THAT(error_of([&] { restored({}, {}, base); }), HasSubstr("which counts from 0")) << base;
  std::vector<Event> wild = events(0);
  wild[4].seq = most;
  EXPECT_THAT(error_of([&] { restored({}, wild, 0); }), HasSubstr("which counts from 0"));
  EXPECT_THAT(error_of([&] {
                restored({{"last", 2, 4, "[9]"}}, events(3), 4);
              }),
              HasSubstr("which counts from 0"));
}

TEST_F(RestoreTest, finds_the_floor_of_all_units) {
  const auto floor = [&](const Checkpoint &rows) { return services.projections.restore_floor(rows); };
  EXPECT_EQ(floor({}), 0);
  EXPECT_EQ(floor({{"last", 2, 4, "[1]"}}), 4);
  EXPECT_EQ(floor({{"last", 1, 4, "[1]"}}), 0);
  EXPECT_EQ(floor({{"last", 2, -1, "null"}}), 0);
  Last other;
  const dsh_unit other_abi = other.abi(0, "other");
  const UnitDescriptor second(&other_abi);
  add(second);
  EXPECT_EQ(floor({{"last", 2, 9, "[1]"}}), 0);
  EXPECT_EQ(floor({{"last", 2, 9, "[1]"}, {"other", 2, 6, "[1]"}}), 6);
  remove(second);
  remove(descriptor);
  EXPECT_EQ(floor({{"last", 2, 4, "[1]"}}), std::nullopt);
  EXPECT_EQ(restored({{"last", 2, 1, "[1]"}}, events(1), 1), "4  {}");
}

TEST_F(RestoreTest, views_rows_and_leaves_the_unsound_out) {
  const auto view = [&](const Checkpoint &rows) { return services.projections.view_checkpoint(rows); };
  EXPECT_THAT(view({{"last", 2, 999, "[1]"}}), ElementsAre(Pair("last", "[1]")));
  EXPECT_THAT(view({{"last", 2, 4, "null"}}), ElementsAre(Pair("last", "null")));
  EXPECT_THAT(view({}), IsEmpty());
  EXPECT_THAT(view({{"last", 1, 4, "[1]"}}), IsEmpty());
  EXPECT_THAT(view({{"last", 2, 4, "\"x\""}}), IsEmpty());
  EXPECT_THAT(view({{"last", 2, 4, ""}}), IsEmpty());
}

TEST_F(RestoreTest, without_a_restore_function_the_view_admits_the_state) {
  remove(descriptor);
  dsh_unit plain_abi = last.abi();
  plain_abi.restore = nullptr;
  const UnitDescriptor plain(&plain_abi);
  add(plain);
  EXPECT_EQ(restored({{"last", 2, 4, "[9]"}}, {}, 5), R"(4 [9] {"last":{"ver":2,"seq":4,"val":[9]}})");
  EXPECT_EQ(error_of([&] { restored({{"last", 2, 4, "\"x\""}}, {}, 5); }), "the state is malformed");
}

}  // namespace
}  // namespace dsh::loader
