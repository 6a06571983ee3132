#include "services/projections.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <random>

#include "last_unit.hpp"
#include "support/switches.hpp"

namespace dsh::loader {
namespace {

using namespace testing_support;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

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
  EXPECT_THAT(lines,
              ElementsAre(HasSubstr("last: event 1 (set) of \"s1\" left the state as it was: no such thing"),
                          HasSubstr("gave a state that is not JSON")));
}

// It says nothing of the event: with memory, the fold goes on from there.
TEST_F(ProjectionsTest, a_fold_that_memory_runs_out_for_is_made_up_for) {
  static bool starved;
  Last other;
  dsh_unit every = other.abi(0, "every");
  dsh_unit decisive = last.abi();
  for (dsh_unit *const one : {&every, &decisive})
    one->apply = [](void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                    const dsh_error *error) -> std::int32_t {
      return starved ? +DSH_NO_MEMORY : Last::apply(user, state, event, next, error);
    };
  const UnitDescriptor units[] = {UnitDescriptor(&decisive), UnitDescriptor(&every)};
  for (const UnitDescriptor &one : units) add(one);
  const auto session = create();
  append(*session, "set", "[1]");
  starved = true;
  append(*session, "set", "[2]");
  append(*session, "zoo/fed");
  EXPECT_THROW(values(*session), std::bad_alloc);
  EXPECT_THROW(services.projections.checkpoint(*session), std::bad_alloc);
  Fold fold = services.projections.start("every");
  const Event event{3, 0, "set", "[3]", "", ""};
  EXPECT_THROW(services.projections.step("every", fold, event), std::bad_alloc);
  EXPECT_EQ(fold.next, 3);
  EXPECT_EQ(fold.state, "null");
  EXPECT_THAT(lines, Each(HasSubstr("ran out of memory")));
  starved = false;
  EXPECT_THAT(values(*session), ElementsAre(Pair("last", "[2]"), Pair("every", "[2]")));
  append(*session, "set", "[4]");
  EXPECT_THAT(values(*session), ElementsAre(Pair("last", "[4]"), Pair("every", "[4]")));
}

TEST_F(ProjectionsTest, a_view_that_memory_runs_out_for_is_no_malformed_state) {
  dsh_unit starving = last.abi();
  starving.view = [](auto...) -> std::int32_t { return DSH_NO_MEMORY; };
  const UnitDescriptor viewless(&starving);
  add(viewless);
  const auto session = create();
  append(*session, "set", "[1]");
  EXPECT_THROW(values(*session), std::bad_alloc);
  EXPECT_THROW(services.projections.view_checkpoint({{"last", 2, 0, "[1]"}}), std::bad_alloc);
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
  for (int i = 0; i < 3000; ++i) append(*session, "set", "[" + std::to_string(i) + "]");
  append(*session, "set", "\"fail\"");
  for (int i = 0; i < 1000; ++i) append(*session, "zoo/fed");
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
