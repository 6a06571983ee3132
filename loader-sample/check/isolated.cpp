#include "check/isolated.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

#include "text/error.hpp"
#include "text/visible.hpp"

namespace dsh::loader::check {
namespace {

using Clock = std::chrono::steady_clock;
bool isolated_here = false;

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  Descriptor(Descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  Descriptor &operator=(Descriptor &&) = delete;
  ~Descriptor() { close(); }
  int get() const noexcept { return number_; }
  void close() noexcept {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

[[noreturn]] void cannot(const std::string &what) {
  throw Error("cannot " + what + ": " + std::strerror(errno));
}

Descriptor memory_file(const char *name) {
  Descriptor file(::memfd_create(name, MFD_CLOEXEC));
  if (file.get() < 0) cannot("make a file in memory");
  return file;
}

std::string contents(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return {};
  std::string text(static_cast<std::size_t>(std::min<off_t>(status.st_size, 1 << 16)), '\0');
  const ssize_t got = ::pread(file, text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

// ---- what the child tells: a kind, a length, a text ----

void tell(int pipe, char kind, std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  std::string message(1, kind);
  message.append(reinterpret_cast<const char *>(&size), sizeof size).append(text);
  for (std::size_t done = 0; done < message.size();) {
    const ssize_t wrote = ::write(pipe, message.data() + done, message.size() - done);
    if (wrote <= 0 && errno != EINTR) return;
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

constexpr char kStep = 'S';
constexpr char kEnd = 'E';  // the verdict's number, then the cause

struct Told {
  std::string step;
  bool ended = false;
  Verdict verdict = Verdict::crashed;
  std::string cause;
};

Told read_told(std::string_view bytes) {
  Told told;
  while (bytes.size() >= 5) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + 1, sizeof size);
    if (bytes.size() - 5 < size) break;
    const std::string_view text = bytes.substr(5, size);
    if (bytes[0] == kStep) {
      told.step = text;
    } else if (bytes[0] == kEnd && !text.empty()) {
      told.ended = true;
      told.verdict = static_cast<Verdict>(text[0] - '0');
      told.cause = text.substr(1);
    }
    bytes.remove_prefix(5 + size);
  }
  return told;
}

Outcome judge(const std::function<void(const Step &)> &test, const Step &step) {
  try {
    test(step);
    return {};
  } catch (const Finding &finding) {
    return {finding.verdict(), finding.what(), 0};
  } catch (const std::exception &failure) {
    return {Verdict::failed, failure.what(), 0};
  }
}

[[noreturn]] void run_child(const std::function<void(const Step &)> &test, int pipe, int out, int err) {
  isolated_here = true;
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ::dup2(null.get(), 0);
  ::dup2(out, 1);
  ::dup2(err, 2);
  const Outcome outcome = judge(test, [pipe](std::string_view text) { tell(pipe, kStep, text); });
  tell(pipe, kEnd, static_cast<char>('0' + static_cast<int>(outcome.verdict)) + outcome.cause);
  ::_exit(0);
}

/// The line of a dying process that says most.
std::string last_words(const std::string &printed) {
  std::string last;
  for (std::size_t start = 0; start < printed.size();) {
    const std::size_t end = std::min(printed.find('\n', start), printed.size());
    const std::string line = printed.substr(start, end - start);
    start = end + 1;
    if (line.empty()) continue;
    last = line;
    for (const char *sign : {"ERROR: ", "runtime error", "what():", "Assertion", "terminate called"}) {
      if (line.find(sign) != std::string::npos) return visible(line);
    }
  }
  return visible(last.substr(0, 300));
}

std::string end_of(int status, bool timed_out, std::chrono::milliseconds limit) {
  if (timed_out) return "did not end within " + std::to_string(limit.count()) + " ms";
  if (WIFSIGNALED(status)) {
    const char *name = ::sigabbrev_np(WTERMSIG(status));
    return "crashed with SIG" + std::string(name == nullptr ? "?" : name);
  }
  return "ended the process with exit status " + std::to_string(WEXITSTATUS(status));
}

/// Reads what the child tells until it has ended or the time is over.
bool listen(int pipe, int child, Clock::time_point deadline, std::string &bytes) {
  std::array<pollfd, 2> watched{{{pipe, POLLIN, 0}, {child, POLLIN, 0}}};
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    if (::poll(watched.data(), watched.size(), static_cast<int>(left)) < 0 && errno != EINTR) return false;
    const bool ended = (watched[1].revents & POLLIN) != 0;
    while (watched[0].fd >= 0) {
      const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
      if (got > 0) bytes.append(buffer.data(), static_cast<std::size_t>(got));
      if (got == 0) watched[0].fd = -1;
      if (got <= 0) break;
    }
    if (ended) return true;
  }
}

}  // namespace

std::string printed_to(int descriptor) {
  std::fflush(nullptr);
  return isolated_here ? contents(descriptor) : std::string();
}

Outcome run_in_place(const std::function<void(const Step &)> &test) {
  const auto start = Clock::now();
  Outcome outcome = judge(test, [](std::string_view) {});
  outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return outcome;
}

Outcome run_isolated(const std::function<void(const Step &)> &test, std::chrono::milliseconds limit) {
  const auto start = Clock::now();
  const Descriptor out = memory_file("stdout");
  const Descriptor err = memory_file("stderr");
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) cannot("make a pipe");
  const Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  std::fflush(nullptr);

  const pid_t child = ::fork();
  if (child < 0) cannot("start a process");
  if (child == 0) {
    ::fcntl(writer.get(), F_SETFL, 0);  // it may wait for us
    run_child(test, writer.get(), out.get(), err.get());
  }
  ::setpgid(child, child);
  writer.close();
  const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  std::string bytes;
  const bool in_time = listen(reader.get(), handle.get(), start + limit, bytes);
  ::kill(-child, SIGKILL);  // the child, or what it left behind
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }

  const Told told = read_told(bytes);
  Outcome outcome{told.verdict, told.cause, std::chrono::duration<double>(Clock::now() - start).count()};
  if (!told.ended) {
    outcome.verdict = Verdict::crashed;
    outcome.cause = end_of(status, !in_time, limit);
    if (!told.step.empty()) outcome.cause += ": " + told.step;
    const std::string words = in_time ? last_words(contents(err.get())) : std::string();
    if (!words.empty()) outcome.cause += ": " + words;
  }
  return outcome;
}

}  // namespace dsh::loader::check
