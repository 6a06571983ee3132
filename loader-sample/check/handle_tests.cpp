#include <string>

#include "check/tests.hpp"
#include "check/verdict.hpp"

// What a host knows by where it lies, and when it may be used.
namespace dsh::loader::check {
namespace {

/// Two sessions that take turns, so that what is kept of one is at hand in a call for the other.
void take_turns(Subject &subject, Rig &rig) {
  RigSession &one = rig.session("one");
  RigSession &other = rig.session("other");
  one.open_turn();
  other.open_turn();
  for (const ToolCopy &tool : rig.tools()) {
    const Schema schema(tool.parameters);
    for (int i = 0; i < 12; ++i) {
      const std::string arguments = subject.random().instance(schema, i % 3 != 0);
      RigSession &session = i % 4 < 2 ? one : other;
      session.refuse_append.reset();
      if (i > 8) session.refuse_append = Refusal{};
      subject.step(call_text(tool, arguments) + " for the session " + session.id());
      rig.execute(tool, arguments, &session);
    }
  }
}

void original_pointers(Subject &subject) {
  for (const std::string &config : subject.timely(subject.configs())) {
    const auto rig = subject.applied(config, subject.options());
    take_turns(subject, *rig);
    subject.step("disposing");
    rig->dispose();
    require_none(Misdeed::bad_handle, *rig);
  }
}

}  // namespace

std::vector<Test> handle_tests() {
  return {
      {"services.handles", "it hands on the pointers it was given, no copies, and while they count",
       &original_pointers},
  };
}

}  // namespace dsh::loader::check
