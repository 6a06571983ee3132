#include "view/view_signals.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <ctime>
#include <initializer_list>

#include "text/error.hpp"

namespace dsh::loader {
namespace {

sigset_t set_of(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  return set;
}

/// Has any of them come?
bool is_pending(const sigset_t &signals) {
  sigset_t pending;
  if (sigpending(&pending) != 0) return false;
  sigset_t both;
  return sigandset(&both, &pending, &signals) == 0 && sigisemptyset(&both) == 0;
}

/// The first that has come, 0: none.
int take(const sigset_t &signals) {
  const timespec at_once{};
  const int signal = sigtimedwait(&signals, nullptr, &at_once);
  return signal > 0 ? signal : 0;
}

/// Lets one signal through while it lives.
class Unblocked {
 public:
  explicit Unblocked(int signal) : set_(set_of({signal})) { pthread_sigmask(SIG_UNBLOCK, &set_, nullptr); }
  ~Unblocked() { pthread_sigmask(SIG_BLOCK, &set_, nullptr); }
  Unblocked(const Unblocked &) = delete;
  Unblocked &operator=(const Unblocked &) = delete;

 private:
  sigset_t set_;
};

}  // namespace

ViewSignals::ViewSignals()
    : all_(set_of({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT})),
      ends_(set_of({SIGINT, SIGTERM, SIGHUP, SIGQUIT})) {
  const sigset_t background = set_of({SIGTTOU});
  pthread_sigmask(SIG_BLOCK, &all_, &former_);
  pthread_sigmask(SIG_BLOCK, &background, nullptr);
  all_descriptor_ = Descriptor(signalfd(-1, &all_, SFD_NONBLOCK | SFD_CLOEXEC));
  end_descriptor_ = Descriptor(signalfd(-1, &ends_, SFD_NONBLOCK | SFD_CLOEXEC));
  if (all_descriptor_ && end_descriptor_) return;
  pthread_sigmask(SIG_SETMASK, &former_, nullptr);
  throw Error("can't watch for signals: too many open files?");
}

ViewSignals::~ViewSignals() { pthread_sigmask(SIG_SETMASK, &former_, nullptr); }

int ViewSignals::next() const {
  // SIGTSTP stays with the kernel, which forgets it when SIGCONT comes before we have stopped: to take it out
  // and to raise it later would stop us after the shell has let us go on.
  if (is_pending(set_of({SIGTSTP}))) return SIGTSTP;
  sigset_t others = all_;
  sigdelset(&others, SIGTSTP);
  return take(others);
}

int ViewSignals::next_end() const { return take(ends_); }

void ViewSignals::stop() { const Unblocked stops(SIGTSTP); }

void ViewSignals::stop_job() {
  (void)kill(0, SIGTSTP);
  stop();
}

bool ViewSignals::in_background(int terminal) {
  const pid_t foreground = tcgetpgrp(terminal);
  return foreground >= 0 && foreground != getpgrp();
}

bool ViewSignals::wait_for_foreground(int terminal) const {
  struct sigaction action {};
  if (sigaction(SIGTTOU, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return true;
  while (in_background(terminal)) {
    if (is_pending(ends_)) return false;
    (void)kill(0, SIGTTOU);
    { const Unblocked stops(SIGTTOU); }
    // Of a job without a parent that could continue it, nobody is stopped.
    if (!is_pending(set_of({SIGCONT}))) return false;
  }
  return true;
}

}  // namespace dsh::loader
