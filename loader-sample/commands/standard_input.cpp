#include "commands/standard_input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "log/file_ops.hpp"

namespace dsh::loader {

StandardInput::StandardInput() : aside_(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)) {
  if (!aside_) throw_errno("can't put standard input aside");
  const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (nothing) ::dup2(nothing.get(), STDIN_FILENO);  // else it stays as it was
}

StandardInput::~StandardInput() { ::dup2(aside_.get(), STDIN_FILENO); }

}  // namespace dsh::loader
