#include <algorithm>
#include <string>
#include <vector>

#include "check/tests.hpp"
#include "check/verdict.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader::check {
namespace {

std::string event_text(const LoggedEvent &event) { return excerpt(event.type) + " " + excerpt(event.data); }
std::string state_text(const std::string &state) { return state.empty() ? "undefined" : excerpt(state); }

template <class Function>
void each_unit(Subject &subject, Function &&function) {
  const auto rig = subject.applied();
  if (rig->units().empty()) skip("it registers no projection unit");
  for (const UnitCopy &unit : rig->units()) function(*rig, unit);
}

/// The events of the unit's types out of a random log.
std::vector<LoggedEvent> events_of(Subject &subject, Rig &rig, const UnitCopy &unit, std::size_t count) {
  std::vector<LoggedEvent> events = sample_events(subject, rig, count);
  std::erase_if(events, [&unit](const LoggedEvent &event) { return !unit.takes(event.type); });
  return events;
}

/// Folds events one after another; `function` sees each with the state before and the answer.
template <class Function>
void along_a_log(Subject &subject, Rig &rig, const UnitCopy &unit, Function &&function) {
  std::string state = unit.init;
  for (const LoggedEvent &event : events_of(subject, rig, unit, 250)) {
    subject.step("apply of unit " + excerpt(unit.key) + " on " + event_text(event));
    Answer answer = rig.fold(unit, state, event);
    function(state, event, answer);
    if (answer.ok()) state = std::move(answer.out);
  }
}

void descriptor(Subject &subject) {
  each_unit(subject, [&](Rig &rig, const UnitCopy &unit) {
    require(is_wtf8(unit.key), "a unit's key is no UTF-8: " + excerpt(unit.key));
    const std::string what = "the unit " + excerpt(unit.key);
    for (const std::string &type : unit.types)
      require(is_wtf8(type), "an event type of " + what + " is no UTF-8: " + excerpt(type));
    require(unit.init.empty() || check_json(unit.init),
            what + " starts with a state that is not JSON: " + excerpt(unit.init));
    if ((unit.abi.flags & ~static_cast<std::uint32_t>(DSH_DECISIVE)) != 0)
      warn(what + " has flags that no revision knows");
    if (unit.abi.view == nullptr) return;
    subject.step("view of the first state of " + excerpt(unit.key));
    const Answer answer = rig.view(unit, unit.init);
    require(answer.ok(), what + " has no view of the state it starts with: " + excerpt(answer.error));
  });
}

void states_are_json(Subject &subject) {
  each_unit(subject, [&](Rig &rig, const UnitCopy &unit) {
    along_a_log(subject, rig, unit, [&](const std::string &, const LoggedEvent &event, const Answer &answer) {
      const std::string what = "apply of unit " + excerpt(unit.key) + " on " + event_text(event);
      require_sound(answer, what, MayBe::none);
      require(!answer.ok() || answer.out.empty() || check_json(answer.out),
              what + " gave a state that is not JSON: " + excerpt(answer.out));
    });
  });
}

void views_are_json(Subject &subject) {
  each_unit(subject, [&](Rig &rig, const UnitCopy &unit) {
    if (unit.abi.view == nullptr) return;
    along_a_log(subject, rig, unit, [&](const std::string &, const LoggedEvent &, const Answer &folded) {
      if (!folded.ok()) return;
      const std::string what =
          "view of unit " + excerpt(unit.key) + " of the state " + state_text(folded.out);
      subject.step(what);
      const Answer answer = rig.view(unit, folded.out);
      require_sound(answer, what);
      require(!answer.ok() || answer.out.empty() || check_json(answer.out),
              what + " gave what is not JSON: " + excerpt(answer.out));
    });
  });
}

void pure(Subject &subject) {
  each_unit(subject, [&](Rig &rig, const UnitCopy &unit) {
    along_a_log(
        subject, rig, unit, [&](const std::string &state, const LoggedEvent &event, const Answer &answer) {
          const Answer again = rig.fold(unit, state, event);
          const std::string what =
              "unit " + excerpt(unit.key) + ", state " + state_text(state) + ", event " + event_text(event);
          require(again.status == answer.status && again.out == answer.out,
                  what + ": apply gives another state the second time: " + state_text(answer.out) +
                      " became " + state_text(again.out));
          if (unit.abi.view == nullptr || !answer.ok()) return;
          const Answer first = rig.view(unit, answer.out);
          const Answer second = rig.view(unit, answer.out);
          require(first.status == second.status && first.out == second.out,
                  what + ": view gives another value the second time");
        });
  });
}

/// After an event whose apply succeeds the state depends on that event alone: so from any two states it must
/// lead to the same one, and succeed from both.
void decisive(Subject &subject) {
  bool any = false;
  each_unit(subject, [&](Rig &rig, const UnitCopy &unit) {
    if ((unit.abi.flags & DSH_DECISIVE) == 0) return;
    any = true;
    const std::vector<LoggedEvent> events = events_of(subject, rig, unit, 300);
    std::vector<std::string> states = {unit.init};
    std::string state = unit.init;
    for (const LoggedEvent &event : events) {
      const Answer answer = rig.fold(unit, state, event);
      if (answer.ok()) state = answer.out;
      if (std::find(states.begin(), states.end(), state) == states.end()) states.push_back(state);
    }
    for (const LoggedEvent &event : events) {
      std::string first_state;
      Answer first;
      for (int i = 0; i < 8; ++i) {
        const std::string &before = i == 0 ? states.front() : states[subject.random().below(states.size())];
        subject.step("apply of unit " + excerpt(unit.key) + " on " + event_text(event));
        Answer answer = rig.fold(unit, before, event);
        if (answer.status == DSH_NONE) answer.out = before;
        const bool succeeds = answer.ok() || answer.status == DSH_NONE;
        if (i == 0) {
          first_state = before;
          first = std::move(answer);
          first.status = succeeds ? DSH_OK : DSH_ERROR;
          continue;
        }
        const std::string what =
            "unit " + excerpt(unit.key) + " is declared decisive, but " + event_text(event);
        require(succeeds == first.ok(), what + " succeeds after one state and fails after another: " +
                                            state_text(first_state) + " and " + state_text(before));
        require(!succeeds || answer.out == first.out,
                what + " leads from " + state_text(first_state) + " to " + state_text(first.out) +
                    ", and from " + state_text(before) + " to " + state_text(answer.out));
      }
    }
  });
  if (!any) skip("no unit of it is decisive");
}

void restores_its_own(Subject &subject) {
  each_unit(subject, [&](Rig &rig, const UnitCopy &unit) {
    along_a_log(subject, rig, unit, [&](const std::string &, const LoggedEvent &, const Answer &folded) {
      if (!folded.ok() || folded.out.empty()) return;
      const bool sound = unit.abi.view == nullptr || rig.view(unit, folded.out).ok();
      if (!sound || unit.abi.restore == nullptr) return;
      const std::string what =
          "restore of unit " + excerpt(unit.key) + " of its own state " + state_text(folded.out);
      subject.step(what);
      const Answer answer = rig.restore(unit, folded.out);
      require_sound(answer, what);
      require(answer.ok(), what + " failed: " + excerpt(answer.error));
      require(answer.out.empty() || check_json(answer.out), what + " gave what is not JSON");
      if (unit.abi.view == nullptr) return;
      require(rig.view(unit, answer.out).out == rig.view(unit, folded.out).out,
              what + " gives a state with another view");
    });
  });
}

void anything_is_survived(Subject &subject) {
  each_unit(subject, [&](Rig &rig, const UnitCopy &unit) {
    Generator &random = subject.random();
    std::vector<std::string> texts = {"null",
                                      "{}",
                                      "[]",
                                      "\"\"",
                                      "0",
                                      nested_json(9'000),
                                      "{\"todos\":" + nested_json(9'000) + "}",
                                      "\"" + std::string(4'000'000, 'x') + "\""};
    for (int i = 0; i < 100; ++i) texts.push_back(random.any_json());
    std::vector<std::string> types = unit.types;
    if (types.empty()) types = {"any/type", std::string(255, 't')};
    for (const std::string &text : texts) {
      for (const std::string &type : types) {
        const LoggedEvent event{type, text, long_logs[random.below(long_logs.size())], 0};
        subject.step("apply of unit " + excerpt(unit.key) + " on " + event_text(event));
        Answer answer = rig.fold(unit, unit.init, event);
        require_sound(answer, "apply of unit " + excerpt(unit.key) + " on " + event_text(event), MayBe::none);
        if (answer.ok() && unit.abi.view != nullptr) {
          subject.step("view of unit " + excerpt(unit.key) + " of " + state_text(answer.out));
          require_sound(rig.view(unit, answer.out),
                        "view of unit " + excerpt(unit.key) + " of " + state_text(answer.out));
        }
      }
      // A checkpoint may come from anywhere.
      if (unit.abi.restore != nullptr) {
        subject.step("restore of unit " + excerpt(unit.key) + " of " + state_text(text));
        require_sound(rig.restore(unit, text),
                      "restore of unit " + excerpt(unit.key) + " of " + state_text(text));
      } else if (unit.abi.view != nullptr) {
        subject.step("view of unit " + excerpt(unit.key) + " of " + state_text(text));
        require_sound(rig.view(unit, text), "view of unit " + excerpt(unit.key) + " of " + state_text(text));
      }
    }
  });
}

}  // namespace

std::vector<Test> projection_tests() {
  return {
      {"projections.descriptor", "keys are texts, and the first state is JSON and has a view", &descriptor},
      {"projections.state", "states are JSON", &states_are_json},
      {"projections.view", "views are JSON, or fail with a text", &views_are_json},
      {"projections.pure", "the same state and event give the same state and view", &pure},
      {"projections.decisive", "decisive units: the state after an event depends on that event alone",
       &decisive},
      {"projections.restore", "a unit restores the states it made", &restores_its_own},
      {"projections.anything", "no event and no checkpoint takes the host down", &anything_is_survived},
  };
}

}  // namespace dsh::loader::check
