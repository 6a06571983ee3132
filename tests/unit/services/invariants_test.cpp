#include "services/invariants.hpp"

#include <gtest/gtest.h>

#include "fixture.hpp"

namespace dsh::loader {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

struct InvariantsTest : Fixture {};

// Doors: "open" and "shut" take turns; the trace says which is next.
std::int32_t check_door(void *, const void *trace, const dsh_event *event, const dsh_error *error) {
  const bool open = *static_cast<const char *>(trace) != 0;
  const bool opens = from_abi(event->type) == "open";
  if (open == opens) return refuse(error, open ? "the door is open" : "the door is shut", DSH_VIOLATED);
  return DSH_OK;
}

dsh_invariant door(std::string_view owner = "@test/door") {
  static constexpr dsh_str types[] = {DSH_STR("open"), DSH_STR("shut")};
  dsh_invariant door = rule(check_door, owner);
  door.trace_size = 1;
  door.types = types;
  door.type_count = 2;
  door.committed = [](void *, void *trace, const dsh_event *event) {
    *static_cast<char *>(trace) = from_abi(event->type) == "open" ? 1 : 0;
  };
  return door;
}

// Vetoes every event whose data is "veto", without being a rule of anybody's.
dsh_invariant other_checker() {
  return rule(
      [](void *, const void *trace, const dsh_event *event, const dsh_error *error) {
        EXPECT_EQ(trace, nullptr) << "a trace of no bytes";
        return from_abi(event->data) == "\"veto\"" ? refuse(error, "vetoed by another checker") : DSH_OK;
      },
      "@test/other");
}

TEST_F(InvariantsTest, names_the_owner_of_a_broken_rule_and_commits_nothing) {
  const dsh_invariant abi = door();
  const InvariantDescriptor descriptor(&abi);
  add(descriptor);
  const auto session = create();
  EXPECT_EQ(error_of([&] { append(*session, "shut"); }),
            "invariant violated by \"@test/door\": the door is shut");
  append(*session, "open");
  append(*session, "else");
  EXPECT_EQ(error_of([&] { append(*session, "open"); }),
            "invariant violated by \"@test/door\": the door is open");
  append(*session, "shut");
  EXPECT_THAT(types(*session), ElementsAre("open", "else", "shut"));
}

TEST_F(InvariantsTest, a_veto_of_another_checker_moves_no_trace) {
  const dsh_invariant other = other_checker();
  const dsh_invariant doors = door();
  const InvariantDescriptor before(&other);
  const InvariantDescriptor descriptor(&doors);
  const InvariantDescriptor after(&other);
  add(before);
  add(descriptor);
  const auto session = create();
  EXPECT_EQ(error_of([&] { append(*session, "open", "\"veto\""); }), "vetoed by another checker");
  EXPECT_THAT(error_of([&] { append(*session, "shut"); }), HasSubstr("the door is shut"));
  remove(before);
  add(after);
  EXPECT_EQ(error_of([&] { append(*session, "open", "\"veto\""); }), "vetoed by another checker");
  EXPECT_THAT(error_of([&] { append(*session, "shut"); }), HasSubstr("the door is shut"));
  EXPECT_THAT(error_of([&] { append(*session, "shut", "\"veto\""); }), HasSubstr("the door is shut"))
      << "the first checker that refuses is the one named";
  append(*session, "open");
  EXPECT_EQ(error_of([&] { append(*session, "shut", "\"veto\""); }), "vetoed by another checker");
  append(*session, "shut");
}

TEST_F(InvariantsTest, installing_replays_every_session_in_order_of_creation) {
  const auto good = create("good");
  append(*good, "open");
  const auto second = create("b");
  append(*second, "shut");
  const auto third = create("a");
  append(*third, "open");
  append(*third, "open");
  const dsh_invariant abi = door();
  const InvariantDescriptor descriptor(&abi);
  EXPECT_EQ(error_of([&] { add(descriptor); }), "invariant violated by \"@test/door\": the door is shut");
  append(*good, "open");  // nothing was installed
  services.sessions.dispose("b");
  services.sessions.dispose("a");
  services.sessions.dispose("good");
  const auto fresh = create("good");
  append(*fresh, "open");
  add(descriptor);
  EXPECT_THAT(error_of([&] { append(*fresh, "open"); }), HasSubstr("the door is open"));
  remove(descriptor);
  append(*fresh, "open");
}

TEST_F(InvariantsTest, rules_come_and_go_without_mixing_their_traces) {
  const dsh_invariant first_abi = door("@test/first");
  const dsh_invariant second_abi = door("@test/second");
  const InvariantDescriptor first(&first_abi);
  const InvariantDescriptor second(&second_abi);
  const auto session = create();
  append(*session, "open");
  add(first);
  append(*session, "shut");
  add(second);
  append(*session, "open");
  remove(first);
  remove(first);
  EXPECT_EQ(error_of([&] { append(*session, "open"); }),
            "invariant violated by \"@test/second\": the door is open");
  append(*session, "shut");
}

TEST_F(InvariantsTest, a_bad_seed_vetoes_the_creation_and_the_id_stays_free) {
  const dsh_invariant abi = door();
  const InvariantDescriptor descriptor(&abi);
  add(descriptor);
  const std::vector<SeedEvent> bad = {{{"open", "1", {}, {}}}, {{"open", "1", {}, {}}}};
  EXPECT_THAT(error_of([&] { services.sessions.create("n", bad); }), HasSubstr("the door is open"));
  EXPECT_EQ(error_of([&] { services.sessions.find("n"); }), "unknown session \"n\"");
  const std::vector<SeedEvent> good = {{{"open", "1", {}, {}}}};
  const auto session = services.sessions.create("n", good);
  EXPECT_THAT(error_of([&] { append(*session, "open"); }), HasSubstr("the door is open"));
  services.sessions.dispose("n");
  append(*create("n"), "open");
}

TEST_F(InvariantsTest, a_breakdown_is_reported_without_the_prefix) {
  dsh_invariant broken = rule([](void *, const void *, const dsh_event *event, const dsh_error *error) {
    const std::string_view data = from_abi(event->data);
    if (data == "1") return refuse(error, "out of order");
    if (data == "2") return std::int32_t{DSH_NO_MEMORY};
    if (data == "3") throw 5;
    if (data == "4") return std::int32_t{DSH_VIOLATED};
    return std::int32_t{DSH_NONE};
  });
  const InvariantDescriptor descriptor(&broken);
  add(descriptor);
  const auto session = create();
  const auto refusal = [&](std::string_view data) {
    return error_of([&] { append(*session, "a/b", data); });
  };
  EXPECT_EQ(refusal("1"), "out of order");
  EXPECT_EQ(refusal("2"), "the invariant of @test/rule ran out of memory");
  EXPECT_EQ(refusal("3"), "the invariant of @test/rule broke the contract: an exception left it");
  EXPECT_EQ(refusal("4"),
            "invariant violated by \"@test/rule\": the invariant of @test/rule failed with status 4");
  EXPECT_EQ(refusal("5"), "the invariant of @test/rule failed with status 3");
  EXPECT_EQ(session->size(), 0);
}

TEST_F(InvariantsTest, a_checker_cannot_append) {
  struct State {
    const dsh_session *session = nullptr;
    std::string refusal;
  } state;
  dsh_invariant meddler = rule([](void *user, const void *, const dsh_event *, const dsh_error *) {
    auto &self = *static_cast<State *>(user);
    const dsh_str type = DSH_STR("a/b");
    ErrorSink error;
    EXPECT_EQ(self.session->append(self.session, &type, "{}", 2, nullptr, error.abi()), DSH_ERROR);
    self.refusal = error.error("", DSH_ERROR).what();
    return std::int32_t{DSH_OK};
  });
  meddler.user = &state;
  const InvariantDescriptor descriptor(&meddler);
  add(descriptor);
  const auto session = create();
  state.session = session->handle();
  append(*session, "a/b");
  EXPECT_EQ(state.refusal, "session append cannot reenter while another append is being published");
  EXPECT_EQ(session->size(), 1);
}

}  // namespace
}  // namespace dsh::loader
