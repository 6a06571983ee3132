#include <string>

#include "check/tests.hpp"
#include "check/verdict.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader::check {
namespace {

std::string event_text(const LoggedEvent &event) { return excerpt(event.type) + " " + excerpt(event.data); }

template <class Function>
void each_rule(Subject &subject, Function &&function) {
  const auto rig = subject.applied();
  if (rig->invariants().empty()) skip("it registers no invariant");
  for (const InvariantCopy &rule : rig->invariants()) function(*rig, rule);
}

void descriptor(Subject &subject) {
  each_rule(subject, [](Rig &, const InvariantCopy &rule) {
    require(is_wtf8(rule.owner), "the owner of an invariant is no UTF-8: " + excerpt(rule.owner));
    for (const std::string &type : rule.types)
      require(is_wtf8(type), "an event type of " + excerpt(rule.owner) + " is no UTF-8: " + excerpt(type));
  });
}

/// Moves a trace over random events, those that are let through; calls `function` with each event and the
/// trace before it.
template <class Function>
void along_a_log(Subject &subject, Rig &rig, const InvariantCopy &rule, Function &&function) {
  std::string trace(rule.abi.trace_size, '\0');
  for (const LoggedEvent &event : sample_events(subject, rig, 250)) {
    if (!rule.takes(event.type)) continue;
    subject.step("check of " + event_text(event));
    const Answer answer = rig.check(rule, trace, event);
    function(trace, event, answer);
    if (!answer.ok()) continue;
    subject.step("committed of " + event_text(event));
    require(rig.committed(rule, trace, event),
            "committed of " + event_text(event) + " wrote behind the end of the trace");
  }
}

void verdicts(Subject &subject) {
  each_rule(subject, [&](Rig &rig, const InvariantCopy &rule) {
    along_a_log(subject, rig, rule, [](const std::string &, const LoggedEvent &event, const Answer &answer) {
      require_sound(answer, "check of " + event_text(event), MayBe::violated);
      require(answer.status == DSH_OK || !answer.error.empty(),
              "check of " + event_text(event) + " refuses the event without saying why");
    });
  });
}

void same_verdict(Subject &subject) {
  each_rule(subject, [&](Rig &rig, const InvariantCopy &rule) {
    along_a_log(subject, rig, rule,
                [&](const std::string &trace, const LoggedEvent &event, const Answer &answer) {
                  const Answer again = rig.check(rule, trace, event);
                  require(again.status == answer.status && again.error == answer.error,
                          "check of " + event_text(event) +
                              " answers otherwise the second time, with the same trace: status " +
                              std::to_string(answer.status) + " became " + std::to_string(again.status));
                });
  });
}

void replays(Subject &subject) {
  each_rule(subject, [&](Rig &rig, const InvariantCopy &rule) {
    std::vector<LoggedEvent> log;
    along_a_log(subject, rig, rule, [&](const std::string &, const LoggedEvent &event, const Answer &answer) {
      if (answer.ok()) log.push_back(event);
    });
    std::string traces[2];
    for (std::string &trace : traces) {
      trace.assign(rule.abi.trace_size, '\0');
      for (const LoggedEvent &event : log) {
        subject.step("replay of " + event_text(event));
        const Answer answer = rig.check(rule, trace, event);
        require(answer.ok(),
                "the rule let " + event_text(event) +
                    " into the log and refuses it when the log is replayed: " + excerpt(answer.error));
        rig.committed(rule, trace, event);
      }
    }
    require(
        traces[0] == traces[1],
        "two replays of one log end with different traces: is there a pointer in it, or state elsewhere?");
  });
}

void own_events(Subject &subject) {
  bool any = false;
  for (const std::string &config : subject.timely(subject.configs())) {
    const auto rig = subject.applied(config, subject.options());
    if (rig->invariants().empty() || rig->tools().empty()) continue;
    RigSession &session = rig->session("own");
    session.open_turn();
    for (const ToolCopy &tool : rig->tools()) {
      const Schema schema(tool.parameters);
      for (int i = 0; i < 80 && subject.has_time(); ++i) {
        const std::string arguments = subject.random().instance(schema, i < 40);
        subject.step(call_text(tool, arguments));
        const Answer answer = rig->execute(tool, arguments, &session);
        any = any || answer.appended > 0;
        require(answer.error.find("invariant violated by \"") == std::string::npos,
                call_text(tool, arguments) +
                    " appends what the plugin's own rule refuses: " + excerpt(answer.error));
      }
    }
  }
  if (!any) skip("it has no tool that appends, or no invariant");
}

void anything_is_survived(Subject &subject) {
  each_rule(subject, [&](Rig &rig, const InvariantCopy &rule) {
    Generator &random = subject.random();
    std::vector<std::string> datas = {"null",
                                      "{}",
                                      "[]",
                                      "\"\"",
                                      nested_json(9'000),
                                      "{\"todos\":" + nested_json(9'000) + "}",
                                      "\"" + std::string(4'000'000, 'x') + "\""};
    for (int i = 0; i < 100; ++i) datas.push_back(random.any_json());
    std::vector<std::string> types = rule.types;
    if (types.empty()) types = {"any/type", std::string(255, 't')};
    for (const std::string &type : types) {
      for (const std::string &data : datas) {
        std::string trace(rule.abi.trace_size, '\0');
        const LoggedEvent event{type, data, long_logs[random.below(long_logs.size())], 0};
        subject.step("check of " + event_text(event));
        require_sound(rig.check(rule, trace, event), "check of " + event_text(event), MayBe::violated);
        rig.committed(rule, trace, event);
      }
    }
  });
}

}  // namespace

std::vector<Test> invariant_tests() {
  return {
      {"invariants.descriptor", "owner and types are texts", &descriptor},
      {"invariants.verdict", "check answers OK, or says what is wrong", &verdicts},
      {"invariants.pure", "check leaves the trace alone, and judges the same event alike", &same_verdict},
      {"invariants.replay", "what was let into a log is let in again when the log is replayed", &replays},
      {"invariants.own_events", "the plugin's tools append what its rules let in", &own_events},
      {"invariants.anything", "no event takes the host down", &anything_is_survived},
  };
}

}  // namespace dsh::loader::check
