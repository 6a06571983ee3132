#include "mcp/end_signals.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <initializer_list>

namespace dsh::loader {

EndSignals::EndSignals() {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&ends, signal);
  descriptor_ = signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC);
  pthread_sigmask(descriptor_ >= 0 ? SIG_BLOCK : SIG_UNBLOCK, &ends, &former_);
}

EndSignals::~EndSignals() {
  signalfd_siginfo info{};
  while (read(descriptor_, &info, sizeof info) == sizeof info) {
  }
  if (descriptor_ >= 0) close(descriptor_);
  pthread_sigmask(SIG_SETMASK, &former_, nullptr);
}

}  // namespace dsh::loader
