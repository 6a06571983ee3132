#include "commands/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <string>
#include <utility>

#include "text/system_error.hpp"
#include "text/visible.hpp"
#include "view/paragraph.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

/// A reader that takes nothing for this long loses a complaint.
constexpr int patience_ms = 1000;

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) != -1; }

void open_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (!is_open(descriptor)) (void)::open("/dev/null", O_RDWR);  // takes the lowest free number
}

bool wait_writable(int descriptor, int timeout_ms) {
  pollfd waited{descriptor, POLLOUT, 0};
  int ready = 0;
  do {
    ready = ::poll(&waited, 1, timeout_ms);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

/// Line ends and the indentation after them become one space: a list of causes reads on.
std::string on_one_line(std::string_view text, bool unicode) {
  std::string line;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\n') {
      line += text[at];
      continue;
    }
    while (at + 1 < text.size() && (text[at + 1] == ' ' || text[at + 1] == '\n')) ++at;
    if (at + 1 < text.size()) line += ' ';
  }
  Style style;
  style.unicode = unicode;
  return shown(line, style);
}

std::string failure_text(int error) { return system_error_text("can't write the result to stdout", error); }

}  // namespace

int end_as_reader_gone() noexcept {
  (void)std::signal(SIGPIPE, SIG_DFL);
  (void)std::raise(SIGPIPE);
  return 128 + SIGPIPE;
}

Output Output::take_stdout() {
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);
  const bool open = is_open(STDOUT_FILENO);
  open_standard_descriptors();
  const int aside = open ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return Output(aside);
}

void Output::discard_strays() const {
  const Descriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (nowhere) ::dup2(nowhere.get(), STDOUT_FILENO);
}

int Output::write_all(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_.get(), text.data(), text.size());
    if (written >= 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno == EAGAIN)
      wait_writable(descriptor_.get(), -1);
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

void Output::write(std::string_view text) const {
  const int error = write_all(text);
  if (error == EPIPE) throw ReaderGone(failure_text(error));
  if (error != 0) throw OutputFailure(failure_text(error));
}

void Output::write_json(std::string json) const { write(visible_json(std::move(json))); }

void Output::write_answer(std::string json) const {
  const int error = write_all(is_terminal() ? visible_json(std::move(json)) : json);
  if (error != 0) throw OutputFailure(failure_text(error));
}

bool Output::is_terminal() const noexcept { return descriptor_ && ::isatty(descriptor_.get()) == 1; }

void complain(std::string_view text) noexcept { tell("loader-sample: ", text); }

void tell(std::string_view who, std::string_view text) noexcept {
  try {
    const Style style = detect_style(STDERR_FILENO);
    const std::string line = std::string(who) + on_one_line(text, style.unicode);
    const std::string lines = joined(hanging(StyledLine(style), line, 2));
    if (!wait_writable(STDERR_FILENO, patience_ms)) return;
    (void)!::write(STDERR_FILENO, lines.data(), lines.size());
  } catch (const std::exception &) {
    return;  // out of memory: there is no place left to say so
  }
}

}  // namespace dsh::loader
