#include <unistd.h>

#include <string>
#include <vector>

#include "check/process_state.hpp"
#include "check/tests.hpp"
#include "check/verdict.hpp"

// A plugin is a guest: the process is afterwards what it was before.
namespace dsh::loader::check {
namespace {

/// The whole life of a plugin, twice with each config.
void live(Subject &subject) {
  for (const std::string &config : subject.timely(subject.configs())) {
    const auto rig = subject.applied(config, subject.options());
    Generator random(13);
    use(subject, *rig, random);
  }
  subject.step("closing the library");
  subject.unmap();
}

void unchanged(Subject &subject, const std::string &what, std::string (*look)()) {
  const std::string before = look();
  live(subject);
  std::string after = look();
  for (int i = 0; i < 20 && after != before; ++i) {  // a thread that has been told to end takes a moment
    ::usleep(10'000);
    after = look();
  }
  require(after == before, what + ": " + difference(before, after));
}

void same_threads(Subject &subject) {
  unchanged(subject, "threads that it started outlive it, or threads of the process have gone",
            &thread_count);
}
void same_children(Subject &subject) {
  unchanged(subject, "processes that it started outlive it", &child_processes);
}
void same_signals(Subject &subject) {
  unchanged(subject, "it changed how the process takes signals", &signals);
}
void same_locale(Subject &subject) { unchanged(subject, "it changed the locale", &locale); }
void same_handler(Subject &subject) {
  unchanged(subject, "it changed the terminate handler", &terminate_handler);
}
void same_surroundings(Subject &subject) {
  unchanged(subject, "it changed the directory, the umask or the environment", &surroundings);
}
void same_arithmetic(Subject &subject) {
  unchanged(subject, "it changed the floating-point environment (is it linked with -ffast-math?)",
            &floating_point);
}
void same_limits(Subject &subject) {
  unchanged(subject, "it changed a resource limit or the priority", &limits);
}
void same_timers(Subject &subject) { unchanged(subject, "it left an alarm or a timer behind", &timers); }
void same_keys(Subject &subject) {
  unchanged(subject, "it left thread-specific keys behind, whose destructors may be gone", &thread_keys);
}
void same_descriptors(Subject &subject) {
  unchanged(
      subject,
      "it opened files and left them open, closed what is not its own, or changed how it is read and written",
      &descriptors);
}
void same_input(Subject &subject) {
  unchanged(subject, "it read from stdin, which is the host's: the bytes left there", &unread_input);
}

void prints_nothing(Subject &subject) {
  live(subject);
  const std::string out = subject.printed(1);
  require(out.empty(), "it printed to stdout: " + excerpt(out));
}

void complains_through_the_host(Subject &subject) {
  live(subject);
  const std::string err = subject.printed(2);
  if (!err.empty()) warn("it printed to stderr instead of using the host's log: " + excerpt(err));
}

}  // namespace

std::vector<Test> process_tests() {
  return {
      {"process.stdout", "it prints nothing to stdout", &prints_nothing},
      {"process.stdin", "it reads nothing from stdin", &same_input},
      {"process.stderr", "it complains through the host's log", &complains_through_the_host},
      {"process.threads", "no thread of its own outlives it", &same_threads},
      {"process.children", "no process of its own outlives it", &same_children},
      {"process.signals", "signal handlers and masks are as before", &same_signals},
      {"process.locale", "the locale is as before", &same_locale},
      {"process.terminate", "the terminate handler is as before", &same_handler},
      {"process.surroundings", "directory, umask and environment are as before", &same_surroundings},
      {"process.arithmetic", "the floating-point environment is as before", &same_arithmetic},
      {"process.limits", "resource limits and the priority are as before", &same_limits},
      {"process.timers", "no alarm or timer of its own runs on", &same_timers},
      {"process.keys", "no thread-specific key of its own is left", &same_keys},
      {"process.files", "the open files are as before", &same_descriptors},
  };
}

}  // namespace dsh::loader::check
