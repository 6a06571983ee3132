#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "check/tests.hpp"
#include "check/verdict.hpp"
#include "text/visible.hpp"

extern char **environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

// A plugin is a guest: the process is afterwards what it was before.
namespace dsh::loader::check {
namespace {

namespace fs = std::filesystem;

std::string threads() {
  const auto tasks = fs::directory_iterator("/proc/self/task");
  return std::to_string(std::distance(fs::begin(tasks), fs::end(tasks)));
}

std::string signals() {
  std::string all;
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0) continue;
    const auto handler = (action.sa_flags & SA_SIGINFO) != 0
                             ? reinterpret_cast<std::uintptr_t>(action.sa_sigaction)
                             : reinterpret_cast<std::uintptr_t>(action.sa_handler);
    all += std::to_string(number) + ":" + std::to_string(handler) + " ";
  }
  sigset_t blocked;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  for (int number = 1; number < NSIG; ++number) all += ::sigismember(&blocked, number) == 1 ? '1' : '0';
  return all;
}

std::string locale() {
  const char *name = std::setlocale(LC_ALL, nullptr);
  return std::string(name == nullptr ? "" : name) +
         (::uselocale(nullptr) == LC_GLOBAL_LOCALE ? "" : " and a thread's own");
}

std::string terminate_handler() {
  return std::to_string(reinterpret_cast<std::uintptr_t>(std::get_terminate()));
}

std::string surroundings() {
  std::error_code ignored;
  std::string all = "directory " + fs::current_path(ignored).string();
  const mode_t mask = ::umask(0);
  ::umask(mask);
  all +=
      ", umask " + std::to_string(mask) + ", rounding " + std::to_string(std::fegetround()) + ", environment";
  std::vector<std::string> variables;
  for (char **variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  std::sort(variables.begin(), variables.end());
  for (const std::string &variable : variables) all += " " + variable;
  return all;
}

std::string descriptors() {
  std::string all;
  for (int number = 0; number < 1024; ++number) {
    if (::fcntl(number, F_GETFD) >= 0) all += std::to_string(number) + " ";
  }
  return all;
}

/// The whole life of a plugin, twice with each config.
void live(Subject &subject) {
  for (const std::string &config : subject.configs()) {
    const auto rig = subject.applied(config, subject.options());
    Generator random(13);
    use(subject, *rig, random);
  }
  subject.step("closing the library");
  subject.unmap();
}

/// What changed, cut to where the two differ.
std::string difference(const std::string &before, const std::string &after) {
  std::size_t same = 0;
  while (same < before.size() && same < after.size() && before[same] == after[same]) ++same;
  same = same > 20 ? same - 20 : 0;
  return excerpt(before.substr(same)) + " became " + excerpt(after.substr(same));
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
  unchanged(subject, "threads that it started outlive it, or threads of the process have gone", &threads);
}
void same_signals(Subject &subject) {
  unchanged(subject, "it changed how the process takes signals", &signals);
}
void same_locale(Subject &subject) { unchanged(subject, "it changed the locale", &locale); }
void same_handler(Subject &subject) {
  unchanged(subject, "it changed the terminate handler", &terminate_handler);
}
void same_surroundings(Subject &subject) {
  unchanged(subject, "it changed the directory, the umask, the rounding or the environment", &surroundings);
}
void same_descriptors(Subject &subject) {
  unchanged(subject, "it opened files and left them open, or closed what is not its own", &descriptors);
}

void prints_nothing(Subject &subject) {
  live(subject);
  const std::string out = printed_to(1);
  require(out.empty(), "it printed to stdout: " + excerpt(out));
}

void complains_through_the_host(Subject &subject) {
  live(subject);
  const std::string err = printed_to(2);
  if (!err.empty()) warn("it printed to stderr instead of using the host's log: " + excerpt(err));
}

}  // namespace

std::vector<Test> process_tests() {
  return {
      {"process.stdout", "it prints nothing to stdout", &prints_nothing},
      {"process.stderr", "it complains through the host's log", &complains_through_the_host},
      {"process.threads", "no thread of its own outlives it", &same_threads},
      {"process.signals", "signal handlers and masks are as before", &same_signals},
      {"process.locale", "the locale is as before", &same_locale},
      {"process.terminate", "the terminate handler is as before", &same_handler},
      {"process.surroundings", "directory, umask, rounding and environment are as before",
       &same_surroundings},
      {"process.files", "the open files are as before", &same_descriptors},
  };
}

}  // namespace dsh::loader::check
