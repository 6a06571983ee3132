// Processes that tests start from themselves, and what they say.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace dsh {

/// A fork of this process that runs `main(out)`, where `out` is a pipe to the parent. Killed at the end
/// of its life if it still runs.
class ChildProcess {
 public:
  explicit ChildProcess(const std::function<void(int out)> &main) {
    int ends[2];
    if (::pipe(static_cast<int *>(ends)) != 0) throw std::runtime_error("no pipe");
    std::fflush(nullptr);
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("no process");
    if (process_ == 0) {
      ::close(ends[0]);
      try {
        main(ends[1]);
        ::_exit(0);
      } catch (const std::exception &error) {
        std::fprintf(stderr, "child: %s\n", error.what());
        ::_exit(1);
      }
    }
    ::close(ends[1]);
    in_ = ends[0];
  }
  ~ChildProcess() {
    kill();
    if (in_ >= 0) ::close(in_);
  }
  ChildProcess(ChildProcess &&other) noexcept
      : process_(std::exchange(other.process_, -1)),
        in_(std::exchange(other.in_, -1)),
        rest_(std::move(other.rest_)) {}
  ChildProcess &operator=(ChildProcess &&) = delete;
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;

  pid_t process() const { return process_; }

  /// The next line that the child wrote; false at the end.
  bool read_line(std::string &line) {
    for (;;) {
      const std::size_t end = rest_.find('\n');
      if (end != std::string::npos) {
        line = rest_.substr(0, end);
        rest_.erase(0, end + 1);
        return true;
      }
      char bytes[4096];
      const ssize_t got = ::read(in_, static_cast<char *>(bytes), sizeof bytes);
      if (got <= 0) return false;
      rest_.append(static_cast<char *>(bytes), static_cast<std::size_t>(got));
    }
  }

  /// Kills it (SIGKILL) and waits for its end.
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

  /// Waits for its end; its exit status.
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t process_ = -1;
  int in_ = -1;
  std::string rest_;
};

/// Writes a whole line, in one call.
inline void write_line(int fd, const std::string &line) {
  const std::string bytes = line + "\n";
  if (::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("no reader");
}

}  // namespace dsh
