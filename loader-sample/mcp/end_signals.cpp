#include "mcp/end_signals.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

#include "mcp/patience.hpp"
#include "text/deadline.hpp"

namespace dsh::loader {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned char the_end = 0;  // no signal has this number

// A handler can't be handed anything: where it writes to, for the watcher and for whoever polls, and in which
// process.
std::atomic<int> handler_writes_to{-1};
std::atomic<int> handler_tells{-1};
std::atomic<pid_t> handler_process{0};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free);

void tell(int signal) {
  const int error = errno;
  if (getpid() == handler_process) {
    const auto number = static_cast<unsigned char>(signal);
    (void)!write(handler_writes_to, &number, 1);
    const eventfd_t one = 1;
    (void)!write(handler_tells, &one, sizeof one);
  } else {
    // A child that has not become another program yet: it dies of it as soon as this returns.
    (void)std::signal(signal, SIG_DFL);
    (void)std::raise(signal);
  }
  errno = error;
}

[[noreturn]] void die_of(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  (void)std::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  (void)std::raise(signal);
  _exit(128 + signal);
}

/// A thread that gets no signal of the process.
template <typename Work>
std::thread start_deaf(Work work) {
  sigset_t all;
  sigset_t former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  std::thread thread(std::move(work));
  pthread_sigmask(SIG_SETMASK, &former, nullptr);
  return thread;
}

}  // namespace

EndSignals::EndSignals() {
  int ends[2] = {-1, -1};
  told_ = Descriptor(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!told_ || pipe2(ends, O_CLOEXEC) != 0) return;
  come_ = Descriptor(ends[0]);
  (void)fcntl(ends[1], F_SETFL, O_NONBLOCK);
  handler_writes_to = ends[1];
  handler_tells = told_.get();
  handler_process = getpid();
  watcher_ = start_deaf([this] { watch(); });
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction action {};
    struct sigaction former {};
    action.sa_handler = tell;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, nullptr, &former) != 0 || former.sa_handler == SIG_IGN) continue;
    if (sigaction(signal, &action, nullptr) == 0) former_.emplace_back(signal, former);
  }
}

EndSignals::~EndSignals() {
  for (const auto &[signal, former] : former_) sigaction(signal, &former, nullptr);
  if (watcher_.joinable()) {
    const int writes_to = handler_writes_to.exchange(-1);
    (void)!write(writes_to, &the_end, 1);
    watcher_.join();
    close(writes_to);
  }
  handler_tells = -1;
}

/// The next signal, the_end, or −1: none until `end`.
int EndSignals::wait(std::optional<Clock::time_point> end) const {
  for (;;) {
    pollfd come{come_.get(), POLLIN, 0};
    const int ready = poll(&come, 1, end ? milliseconds_until(*end) : -1);
    if (ready == 0) return -1;
    unsigned char number = the_end;
    if (ready > 0 && read(come_.get(), &number, 1) == 1) return number;
  }
}

void EndSignals::watch() const {
  std::optional<Clock::time_point> end;  // none: nobody has asked for it
  int signal = the_end;
  for (unsigned found = 0;;) {
    const int come = wait(end);
    if (come == the_end) return;
    if (come > 0) signal = come;
    const unsigned piece = piece_;
    const bool still_at_it = end && piece % 2 == 1 && piece == found;
    if (come < 0 || still_at_it) die_of(signal);
    found = piece;
    if (!end) end = Clock::now() + mcp_patience;
  }
}

}  // namespace dsh::loader
