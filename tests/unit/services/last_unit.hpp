// A unit that keeps the last of its events, and a test of the projections that has it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fixture.hpp"
#include "services/projections.hpp"

namespace dsh::loader::testing_support {

// The last "set" since the last "clear". Data "fail" fails the fold, "undefined" sets the state to
// undefined, "torn" writes no JSON; the view of a state that is a string fails. Counts its calls.
struct Last {
  int applied = 0;

  static std::int32_t apply(void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                            const dsh_error *error) {
    ++static_cast<Last *>(user)->applied;
    if (from_abi(event->type) == "clear") {
      if (from_abi(*state) == "null") return DSH_NONE;
      write(next, "null");
      return DSH_OK;
    }
    const std::string_view data = from_abi(event->data);
    if (data == "\"fail\"") return refuse(error, "no such thing");
    if (data == "\"torn\"") {
      write(next, "{");
      return DSH_OK;
    }
    if (data != "\"undefined\"") write(next, data);
    return DSH_OK;
  }

  static std::int32_t view(void *, const dsh_str *state, const dsh_out *view, const dsh_error *error) {
    const std::string_view text = from_abi(*state);
    if (text.empty() || text.front() == '"') return refuse(error, "the state is malformed");
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
      if (text.front() == '"') return refuse(error, "the row is malformed");
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

}  // namespace dsh::loader::testing_support
