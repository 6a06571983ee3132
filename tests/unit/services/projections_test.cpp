#include "services/projections.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <random>

#include "fixture.hpp"
#include "services/memory_store.hpp"
#include "support/switches.hpp"

namespace dsh::loader {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

// The last "set" since the last "clear". Data "fail" fails the fold, "undefined" sets the state to
// undefined, "torn" writes no JSON; the view of a state that is a string fails. Counts its calls.
struct Last {
  int applied = 0;

  static std::int32_t apply(void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                            const dsh_error *error) {
    ++static_cast<Last *>(user)->applied;
    if (from_abi(event->type) == "clear") {
      if (from_abi(*state) == "null") {
        return DSH_NONE;
      }
      write(next, "null");
      return DSH_OK;
    }
    const std::string_view data = from_abi(event->data);
    if (data == "\"fail\"") {
      return refuse(error, "no such thing");
    }
    if (data == "\"torn\"") {
      write(next, "{");
      return DSH_OK;
    }
    if (data != "\"undefined\"") {
      write(next, data);
    }
    return DSH_OK;
  }

  static std::int32_t view(void *, const dsh_str *state, const dsh_out *view, const dsh_error *error) {
    const std::string_view text = from_abi(*state);
    if (text.empty() || text.front() == '"') {
      return refuse(error, "the state is malformed");
    }
    write(view, text);
    return DSH_OK;
  }

  dsh_unit abi(std::uint32_t flags = DSH_DECISIVE, std::string_view key = "last") {
    static constexpr dsh_str types[] = {DSH_STR("set"), DSH_STR("clear")};
    dsh_unit unit = testing_support::unit(apply, key);
    unit.flags = flags;
    unit.state_version = 2;
    unit.user = this;
    unit.types = types;
    unit.type_count = 2;
    unit.view = view;
    unit.restore = [](void *, const dsh_str *stored, const dsh_out *state, const dsh_error *error) {
      const std::string_view text = from_abi(*stored);
      if (text.front() == '"') {
        return refuse(error, "the row is malformed");
      }
      write(state, text);
      return std::int32_t{DSH_OK};
    };
    return unit;
  }
};

struct ProjectionsTest : Fixture {
  ProjectionValues values(Session &session) { return services.projections.snapshot(session).values; }

  void listen() {
    subscription = services.projections.subscribe([this](const ProjectionChange &change) {
      changes.push_back(std::string(change.session) + " " + std::string(change.key) + "=" +
                        std::string(change.value) + " at " + std::to_string(change.seq));
    });
  }

  std::vector<std::string> changes;
  Subscription subscription;
  Last last;
  const dsh_unit abi = last.abi();
  const UnitDescriptor descriptor{&abi};
};

TEST_F(ProjectionsTest, folds_every_event_and_tells_who_listens) {
  add(descriptor);
  listen();
  const auto session = create();
  Snapshot snapshot = services.projections.snapshot(*session);
  EXPECT_EQ(snapshot.as_of_seq, -1);
  EXPECT_THAT(snapshot.values, ElementsAre(Pair("last", "null")));
  append(*session, "clear");
  append(*session, "set", "[1]");
  append(*session, "set", "[1]");
  append(*session, "zoo/fed");
  append(*session, "Set", "[2]");
  append(*session, "clear");
  append(*session, "clear");
  snapshot = services.projections.snapshot(*session);
  EXPECT_EQ(snapshot.as_of_seq, 6);
  EXPECT_THAT(snapshot.values, ElementsAre(Pair("last", "null")));
  EXPECT_THAT(changes, ElementsAre("s1 last=[1] at 1", "s1 last=[1] at 2", "s1 last=null at 5"));
}

TEST_F(ProjectionsTest, a_failed_fold_is_logged_and_changes_nothing) {
  add(descriptor);
  listen();
  const auto session = create();
  append(*session, "set", "[1]");
  append(*session, "set", "\"fail\"");
  append(*session, "set", "\"torn\"");
  append(*session, "zoo/fed");
  EXPECT_THAT(values(*session), ElementsAre(Pair("last", "[1]")));
  EXPECT_EQ(services.projections.snapshot(*session).as_of_seq, 3);
  EXPECT_THAT(changes, ElementsAre("s1 last=[1] at 0"));
  EXPECT_THAT(lines, ElementsAre(HasSubstr("last: event 1 (set) left the state as it was: no such thing"),
                                 HasSubstr("gave a state that is not JSON")));
}

// A state that repeats what stands between the key and the end of an event's data is JSON where that is one
// value, and none where it is more.
TEST_F(ProjectionsTest, a_state_taken_from_an_events_data_is_checked_unless_it_is_its_only_value) {
  struct Case {
    const char *data;
    const char *state;
  };
  const dsh_unit inner = unit([](void *, const dsh_str *, const dsh_event *event, const dsh_out *next,
                                 const dsh_error *) -> std::int32_t {
    const std::string_view data = from_abi(event->data);
    const std::size_t begin = data.find(':') + 1;
    write(next, data.substr(begin, data.size() - 1 - begin));
    return DSH_OK;
  });
  const UnitDescriptor taken(&inner);
  add(taken);
  const auto session = create();
  for (const Case &one :
       {Case{R"({"a":[1,{"b":2}]})", R"([1,{"b":2}])"}, Case{R"({"a":"x"})", R"("x")"},
        Case{R"({"a":1,"b":2})", R"("x")"}, Case{R"({"a":{},"b":{}})", R"("x")"},
        Case{R"( { "a" : [ 1 ] } )", "[1]"}, Case{R"([{"a":1}])", "[1]"}, Case{R"({"a:":1})", "[1]"}}) {
    append(*session, "set", one.data);
    EXPECT_THAT(values(*session), ElementsAre(Pair("unit", one.state))) << one.data;
  }
  EXPECT_EQ(lines.size(), 4U);
}

TEST_F(ProjectionsTest, a_state_without_a_sound_view_fails_reads_until_the_next_that_has_one) {
  add(descriptor);
  listen();
  const auto session = create();
  append(*session, "set", "\"text\"");
  EXPECT_EQ(error_of([&] { values(*session); }), "the state is malformed");
  append(*session, "zoo/fed");
  EXPECT_EQ(error_of([&] { values(*session); }), "the state is malformed");
  append(*session, "clear");
  EXPECT_THAT(values(*session), ElementsAre(Pair("last", "null")));
  append(*session, "set", "\"undefined\"");
  EXPECT_EQ(error_of([&] { values(*session); }), "the state is malformed");
  EXPECT_EQ(checkpoint_json(services.projections.checkpoint(*session)), R"({"last":{"ver":2,"seq":3}})");
  EXPECT_THAT(changes, ElementsAre("s1 last=null at 2"));
}

TEST_F(ProjectionsTest, a_late_unit_folds_the_history_silently) {
  listen();
  const auto session = create();
  append(*session, "set", "[1]");
  EXPECT_THAT(values(*session), IsEmpty());
  add(descriptor);
  append(*session, "zoo/fed");
  EXPECT_THAT(values(*session), ElementsAre(Pair("last", "[1]")));
  append(*session, "clear");
  remove(descriptor);
  EXPECT_THAT(values(*session), IsEmpty());
  append(*session, "set", "[2]");
  add(descriptor);
  EXPECT_THAT(values(*session), ElementsAre(Pair("last", "[2]")));
  append(*session, "clear");
  EXPECT_THAT(changes, ElementsAre("s1 last=null at 2", "s1 last=null at 4"));
}

TEST_F(ProjectionsTest, the_first_touch_after_a_seed_tells_about_its_own_event_alone) {
  add(descriptor);
  listen();
  const std::vector<SeedEvent> seed = {{{"set", "[1]", {}, {}}}};
  append(*services.sessions.create("a", seed), "clear");
  append(*services.sessions.create("b", seed), "set", "[1]");
  append(*services.sessions.create("c", seed), "zoo/fed");
  EXPECT_THAT(changes, ElementsAre("a last=null at 2", "b last=[1] at 2"));
}

TEST_F(ProjectionsTest, a_decisive_unit_is_brought_up_from_the_end) {
  const auto session = create();
  for (int i = 0; i < 3000; ++i) {
    append(*session, "set", "[" + std::to_string(i) + "]");
  }
  append(*session, "set", "\"fail\"");
  for (int i = 0; i < 1000; ++i) {
    append(*session, "zoo/fed");
  }
  add(descriptor);
  EXPECT_THAT(values(*session), ElementsAre(Pair("last", "[2999]")));
  EXPECT_EQ(last.applied, 2) << "the one that fails, and the last that doesn't";
}

TEST_F(ProjectionsTest, backwards_and_forwards_fold_to_the_same_state) {
  Last plain;
  const dsh_unit forward_abi = plain.abi(0, "forward");
  const UnitDescriptor forward(&forward_abi);
  const std::uint32_t seed = test_seed();
  std::mt19937 random(seed);
  for (int round = 0; round < 60; ++round) {
    const auto session = create("r" + std::to_string(round));
    for (std::size_t i = random() % 700; i > 0; --i) {
      const unsigned what = static_cast<unsigned>(random() % 40);
      append(*session,
             what == 0  ? "clear"
             : what < 4 ? "set"
                        : "zoo/fed",
             what == 1 ? "\"fail\"" : "[" + std::to_string(i) + "]");
    }
    add(descriptor);
    add(forward);
    const ProjectionValues both = values(*session);
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[0].second, both[1].second) << "seed " << seed;
    remove(descriptor);
    remove(forward);
  }
}

TEST_F(ProjectionsTest, shares_a_key_of_one_version_and_refuses_another) {
  Last second;
  const dsh_unit second_abi = second.abi();
  const UnitDescriptor other(&second_abi);
  dsh_unit newer_abi = second.abi();
  newer_abi.state_version = 3;
  const UnitDescriptor newer(&newer_abi);
  add(descriptor);
  add(other);
  EXPECT_EQ(error_of([&] { add(newer); }),
            "session projection \"last\" is already registered with state version 2, not 3");
  const auto session = create();
  append(*session, "set", "[1]");
  EXPECT_EQ(last.applied, 1);
  EXPECT_EQ(second.applied, 0);
  remove(descriptor);
  EXPECT_THAT(values(*session), ElementsAre(Pair("last", "[1]"))) << "the state stays";
  append(*session, "set", "[2]");
  EXPECT_EQ(last.applied, 1);
  EXPECT_EQ(second.applied, 1);
  remove(other);
  EXPECT_THAT(values(*session), IsEmpty());
  add(newer);
}

TEST_F(ProjectionsTest, a_unit_without_a_view_is_for_the_host_alone) {
  dsh_unit hidden_abi = last.abi(0, "hidden");
  hidden_abi.view = nullptr;
  const UnitDescriptor hidden(&hidden_abi);
  add(hidden);
  listen();
  const auto session = create();
  append(*session, "set", "[1]");
  EXPECT_THAT(values(*session), IsEmpty());
  EXPECT_THAT(changes, IsEmpty());
  EXPECT_EQ(checkpoint_json(services.projections.checkpoint(*session)),
            R"({"hidden":{"ver":2,"seq":0,"val":[1]}})");
  EXPECT_THAT(services.projections.view_checkpoint({{"hidden", 2, 0, "[1]"}}), IsEmpty());
}

TEST_F(ProjectionsTest, each_listener_hears_each_change_until_it_leaves) {
  add(descriptor);
  int heard = 0;
  Subscription first = services.projections.subscribe([&](const ProjectionChange &) { ++heard; });
  const Subscription deaf =
      services.projections.subscribe([](const ProjectionChange &) { throw std::runtime_error("deaf"); });
  const Subscription odd = services.projections.subscribe([](const ProjectionChange &) { throw 42; });
  const Subscription second = services.projections.subscribe([&](const ProjectionChange &) { ++heard; });
  const auto session = create();
  append(*session, "set", "[1]");
  EXPECT_EQ(heard, 2);
  EXPECT_THAT(lines, ElementsAre("last: deaf", "last: a listener threw something that is no exception"));
  first = {};
  append(*session, "set", "[1]");
  EXPECT_EQ(heard, 3);
}

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
  for (const std::int64_t base : {std::int64_t{-1}, least, most}) {
    EXPECT_THAT(error_of([&] { restored({}, {}, base); }), HasSubstr("which counts from 0")) << base;
  }
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

TEST_F(ProjectionsTest, folds_logs_that_are_no_sessions) {
  add(descriptor);
  const Projections &projections = services.projections;
  ASSERT_EQ(projections.units().size(), 1U);
  EXPECT_TRUE(projections.units()[0].decisive);
  EXPECT_THAT(projections.units()[0].types, ElementsAre("set", "clear"));
  Fold fold = projections.start("last");
  EXPECT_TRUE(projections.step("last", fold, {7, 0, "set", "[1]", "", ""}));
  EXPECT_FALSE(projections.step("last", fold, {8, 0, "set", "\"fail\"", "", ""}));
  EXPECT_EQ(projections.view("last", fold), "[1]");
  EXPECT_EQ(fold.next, 9);
  EXPECT_EQ(error_of([&] { projections.start("none"); }), "unknown projection \"none\"");
}

}  // namespace
}  // namespace dsh::loader
