#include "commands/standard_input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "text/error.hpp"
#include "text/system_error.hpp"

namespace dsh::loader {

StandardInput::StandardInput() : aside_(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)) {
  if (!aside_) throw Error(system_error_text("can't put standard input aside", errno));
  const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (nothing) ::dup2(nothing.get(), STDIN_FILENO);  // else it stays as it was
}

StandardInput::~StandardInput() { ::dup2(aside_.get(), STDIN_FILENO); }

}  // namespace dsh::loader
