#include "commands/standard_input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "log/file_ops.hpp"

namespace dsh::loader {

StandardInput::StandardInput() : aside_(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)) {
  if (aside_ < 0) throw_errno("can't put standard input aside");
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0) return;  // as it was
  ::dup2(nothing, STDIN_FILENO);
  ::close(nothing);
}

StandardInput::~StandardInput() {
  ::dup2(aside_, STDIN_FILENO);
  ::close(aside_);
}

}  // namespace dsh::loader
