#include "check/process_state.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cfenv>
#include <climits>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

extern char **environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace dsh::loader::check {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path &file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

std::string thread_count() {
  const auto tasks = fs::directory_iterator("/proc/self/task");
  return std::to_string(std::distance(fs::begin(tasks), fs::end(tasks)));
}

std::string child_processes() {
  std::string all;
  for (const auto &task : fs::directory_iterator("/proc/self/task"))
    all += contents(task.path() / "children");
  return all;
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
  all += ", umask " + std::to_string(mask) + ", environment";
  std::vector<std::string> variables;
  for (char **variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  std::sort(variables.begin(), variables.end());
  for (const std::string &variable : variables) all += " " + variable;
  return all;
}

std::string floating_point() {
  std::string all = "rounding " + std::to_string(std::fegetround());
  std::fenv_t environment{};
  std::fegetenv(&environment);
#if defined(__x86_64__)
  constexpr unsigned raised = 0x3F;  // by arithmetic, as it should
  all += ", x87 control word " + std::to_string(environment.__control_word) + ", MXCSR " +
         std::to_string(environment.__mxcsr & ~raised);
#elif defined(__aarch64__)
  all += ", FPCR " + std::to_string(environment.__fpcr);
#endif
  return all;
}

std::string limits() {
  std::string all;
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit{};
    if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) continue;
    all += "limit " + std::to_string(resource) + ": " + std::to_string(limit.rlim_cur) + " of " +
           std::to_string(limit.rlim_max) + ", ";
  }
  return all + "priority " + std::to_string(::getpriority(PRIO_PROCESS, 0));
}

std::string timers() {
  std::string all;
  for (const auto &[which, name] :
       {std::pair(ITIMER_REAL, "alarm"), std::pair(ITIMER_VIRTUAL, "virtual timer"),
        std::pair(ITIMER_PROF, "profiling timer")}) {
    itimerval set{};
    ::getitimer(which, &set);
    const bool runs = set.it_value.tv_sec != 0 || set.it_value.tv_usec != 0;
    all += std::string(all.empty() ? "" : ", ") + name + (runs ? " set" : " not set");
  }
  std::istringstream lines(contents("/proc/self/timers"));  // where the kernel tells
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("ID:")) all += ", timer" + line.substr(3);
  return all;
}

std::string thread_keys() {
  std::array<pthread_key_t, PTHREAD_KEYS_MAX> free{};
  std::size_t count = 0;
  while (count < free.size() && ::pthread_key_create(&free[count], nullptr) == 0) ++count;
  for (std::size_t i = 0; i < count; ++i) ::pthread_key_delete(free[i]);
  return std::to_string(free.size() - count);
}

std::string descriptors() {
  std::string all;
  for (int number = 0; number < 1024; ++number) {
    const int flags = ::fcntl(number, F_GETFL);
    if (flags < 0) continue;
    all += std::to_string(number);
    if ((flags & O_NONBLOCK) != 0) all += " (non-blocking)";
    if ((flags & O_APPEND) != 0) all += " (appending)";
    if ((flags & O_ASYNC) != 0) all += " (signalling)";
    all += " ";
  }
  return all;
}

std::string unread_input() {
  int bytes = 0;
  return ::ioctl(STDIN_FILENO, FIONREAD, &bytes) == 0 ? std::to_string(bytes) : "closed";
}

}  // namespace dsh::loader::check
