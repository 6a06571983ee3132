#include <string>

#include "check/tests.hpp"
#include "check/verdict.hpp"

namespace dsh::loader::check {
namespace {

/// An observer is told of a session from whenever on: the places of its events are no small numbers.
void anything_is_survived(Subject &subject) {
  const auto rig = subject.applied();
  if (rig->observers().empty()) skip("it registers no observer");
  const std::vector<LoggedEvent> events = sample_events(subject, *rig, 100);
  RigSession &session = rig->session("long");
  for (const ObserverCopy &observer : rig->observers()) {
    for (const std::int64_t start : long_logs) {
      for (LoggedEvent event : events) {
        if (!observer.takes(event.type)) continue;
        event.seq += start;
        subject.step("an observer's committed of " + excerpt(event.type) + ", event " +
                     std::to_string(event.seq) + " of its session");
        rig->tell(observer, session, event);
      }
    }
  }
  require_none(Misdeed::exception, *rig);
}

}  // namespace

std::vector<Test> observer_tests() {
  return {{"observers.anything", "no event takes the host down, at whatever place in a log",
           &anything_is_survived}};
}

}  // namespace dsh::loader::check
