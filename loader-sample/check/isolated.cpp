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
#include <memory>
#include <utility>

#include "text/deadline.hpp"
#include "text/descriptor.hpp"
#include "text/error.hpp"
#include "text/system_error.hpp"
#include "text/visible.hpp"

namespace dsh::loader::check {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void cannot(const std::string &what) { throw Error(system_error_text("can't " + what, errno)); }

Descriptor memory_file(const char *name) {
  Descriptor file(::memfd_create(name, MFD_CLOEXEC));
  if (!file) cannot("make a file in memory");
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

/// Something that a child can say without a descriptor: that its test has come to its end.
class Ended {
 public:
  Ended() : page_(::mmap(nullptr, sizeof(char), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (page_ == MAP_FAILED) cannot("share memory with a process");
  }
  ~Ended() { ::munmap(page_, sizeof(char)); }
  Ended(const Ended &) = delete;
  Ended &operator=(const Ended &) = delete;
  void say() noexcept { *static_cast<volatile char *>(page_) = 1; }
  bool said() const noexcept { return *static_cast<const volatile char *>(page_) != 0; }

 private:
  void *page_;
};

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

// What a host owes a plugin is half a megabyte of stack; the rest is for the test itself.
constexpr rlim_t stack_size = rlim_t{768} << 10U;

constexpr char step_tag = 'S';
constexpr char end_tag = 'E';  // the verdict's number, then the cause

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
    if (bytes[0] == step_tag) {
      told.step = text;
    } else if (bytes[0] == end_tag && !text.empty()) {
      told.ended = true;
      told.verdict = static_cast<Verdict>(text[0] - '0');
      told.cause = text.substr(1);
    }
    bytes.remove_prefix(5 + size);
  }
  return told;
}

Outcome judge(const Body &test, const Place &place) {
  try {
    test(place);
    return {};
  } catch (const Finding &finding) {
    return {finding.verdict(), finding.cause(), 0};
  } catch (const std::exception &failure) {
    return {Verdict::failed, text_of(failure), 0};
  }
}

std::string printed_so_far(int descriptor) {
  (void)std::fflush(nullptr);
  return contents(descriptor);
}

/// What a process finds at its standard input: a line, and the end.
Descriptor input() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) cannot("make a pipe");
  const Descriptor writer(ends[1]);
  constexpr std::string_view line = "nothing here is for a plugin\n";
  if (::write(writer.get(), line.data(), line.size()) < 0) cannot("write to a pipe");
  return Descriptor(ends[0]);
}

[[noreturn]] void run_child(const Body &test, int pipe, int out, int err, Ended &ended) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which make every frame larger
  const rlimit shallow{stack_size, stack_size};
  ::setrlimit(RLIMIT_STACK, &shallow);
#endif
  ::dup2(input().get(), 0);
  ::dup2(out, 1);
  ::dup2(err, 2);
  const Outcome outcome =
      judge(test, {[pipe](std::string_view what) { tell(pipe, step_tag, what); }, &printed_so_far});
  ended.say();
  tell(pipe, end_tag, static_cast<char>('0' + static_cast<int>(outcome.verdict)) + outcome.cause);
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
    for (const char *sign : {"ERROR: ", "runtime error", "what():", "Assertion", "terminate called"})
      if (line.find(sign) != std::string::npos) return visible(line);
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

/// A test at work in its process.
class Child {
 public:
  Child(std::size_t number, const Body &test, std::chrono::milliseconds limit)
      : number_(number), limit_(limit), start_(Clock::now()) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) cannot("make a pipe");
    reader_ = Descriptor(ends[0]);
    const Descriptor writer(ends[1]);
    (void)std::fflush(nullptr);
    process_ = ::fork();
    if (process_ < 0) cannot("start a process");
    if (process_ == 0) {
      ::fcntl(writer.get(), F_SETFL, 0);  // it may wait for us
      run_child(test, writer.get(), out_.get(), err_.get(), ended_);
    }
    ::setpgid(process_, process_);
    handle_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
    if (!handle_) {
      end();
      cannot("watch a process");
    }
  }
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;
  ~Child() { end(); }

  std::size_t number() const noexcept { return number_; }
  Clock::time_point deadline() const noexcept { return start_ + limit_; }
  std::array<pollfd, 2> watched() const noexcept {
    return {{{reader_.get(), POLLIN, 0}, {handle_.get(), POLLIN, 0}}};
  }

  /// Takes what it has told so far.
  void listen() {
    std::array<char, 4096> buffer{};
    while (reader_) {
      const ssize_t got = ::read(reader_.get(), buffer.data(), buffer.size());
      if (got > 0) told_.append(buffer.data(), static_cast<std::size_t>(got));
      if (got == 0) reader_.close();
      if (got <= 0) return;
    }
  }

  /// Ends it, if it has not ended by itself, and says how it went.
  Outcome outcome(bool in_time) {
    const int status = end();
    const Told told = read_told(told_);
    Outcome outcome{told.verdict, told.cause, std::chrono::duration<double>(Clock::now() - start_).count()};
    if (!told.ended && ended_.said()) {
      outcome.verdict = Verdict::failed;
      outcome.cause =
          "the descriptor through which the test reports was closed: a plugin closes none but its own";
      if (!told.step.empty()) outcome.cause += "; the last report: " + told.step;
    } else if (!told.ended) {
      outcome.verdict = Verdict::crashed;
      outcome.cause = end_of(status, !in_time, limit_);
      if (!told.step.empty()) outcome.cause += ": " + told.step;
      const std::string words = in_time ? last_words(contents(err_.get())) : std::string();
      if (!words.empty()) outcome.cause += ": " + words;
    }
    return outcome;
  }

 private:
  /// The wait status of the process, which is killed with what it left behind.
  int end() noexcept {
    int status = 0;
    if (process_ <= 0) return status;
    ::kill(-process_, SIGKILL);
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return status;
  }

  std::size_t number_;
  std::chrono::milliseconds limit_;
  Clock::time_point start_;
  Descriptor out_ = memory_file("stdout");
  Descriptor err_ = memory_file("stderr");
  Ended ended_;
  Descriptor reader_, handle_;
  pid_t process_ = -1;
  std::string told_;
};

/// Waits until a child tells something, ends, or has had its time.
std::vector<pollfd> wait_for(const std::vector<std::unique_ptr<Child>> &children) {
  std::vector<pollfd> watched;
  Clock::time_point next = Clock::time_point::max();
  for (const auto &child : children) {
    for (const pollfd &one : child->watched()) watched.push_back(one);
    next = std::min(next, child->deadline());
  }
  if (::poll(watched.data(), watched.size(), milliseconds_until(next)) < 0) {
    if (errno != EINTR) cannot("wait for a process");
    for (pollfd &one : watched) one.revents = 0;
  }
  return watched;
}

}  // namespace

Outcome run_in_place(const Body &test) {
  const auto start = Clock::now();
  Outcome outcome = judge(test, {[](std::string_view) {}, [](int) { return std::string(); }});
  outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return outcome;
}

void run_isolated(const std::vector<Body> &tests, std::chrono::milliseconds limit, std::size_t at_once,
                  const std::function<void(std::size_t number, Outcome outcome)> &ended) {
  std::vector<std::unique_ptr<Child>> children;
  for (std::size_t started = 0; started < tests.size() || !children.empty();) {
    while (started < tests.size() && children.size() < std::max<std::size_t>(at_once, 1)) {
      children.push_back(std::make_unique<Child>(started, tests[started], limit));
      ++started;
    }
    const std::vector<pollfd> watched = wait_for(children);
    for (std::size_t i = children.size(); i-- > 0;) {
      children[i]->listen();
      const bool over = (watched[2 * i + 1].revents & POLLIN) != 0;
      if (!over && Clock::now() < children[i]->deadline()) continue;
      const auto child = std::move(children[i]);
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
      ended(child->number(), child->outcome(over));
    }
  }
}

}  // namespace dsh::loader::check
