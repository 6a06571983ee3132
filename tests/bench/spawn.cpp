// dsh-spawn COMMAND…: runs a command to its end and prints one line of JSON:
//   {"cpu_us","ready_us","rss_kib","status"}
// its CPU time (user and system), the wall time to its first byte on stdout, its peak memory and how it
// ended. A small program of its own: a process's peak memory counts that of the one it was started from.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "clock.hpp"

extern char **environ;  // NOLINT(readability-redundant-declaration)

namespace {

int fail(const char *what, int error) {
  std::fprintf(stderr, "dsh-spawn: %s: %s\n", what, std::strerror(error));
  return 2;
}

double microseconds(const timeval &time) {
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
}

/// Reads to the end; returns when the first byte came, 0: none did.
double drain(int descriptor) {
  std::array<char, 65536> piece;
  double first = 0;
  for (;;) {
    const ssize_t got = ::read(descriptor, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return first;
    if (first == 0) first = dsh::bench::wall_us();
  }
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: dsh-spawn COMMAND…\n");
    return 2;
  }
  std::array<int, 2> pipe_ends{};
  if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return fail("pipe", errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
  pid_t process = 0;
  const double start = dsh::bench::wall_us();
  if (const int error = posix_spawnp(&process, argv[1], &actions, nullptr, argv + 1, environ); error != 0)
    return fail(argv[1], error);
  ::close(pipe_ends[1]);
  const double first = drain(pipe_ends[0]);
  int status = 0;
  rusage usage{};
  if (::wait4(process, &status, 0, &usage) != process) return fail("wait4", errno);
  std::printf("{\"cpu_us\":%.0f,\"ready_us\":%.0f,\"rss_kib\":%ld,\"status\":%d}\n",
              microseconds(usage.ru_utime) + microseconds(usage.ru_stime), first == 0 ? 0 : first - start,
              usage.ru_maxrss, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}
