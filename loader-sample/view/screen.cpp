#include "view/screen.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <utility>

#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

constexpr int patience_ms = 1000;

/// None where it is neither a pipe nor a terminal: a file opened anew would be written from its start.
Descriptor own_way_to(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !(S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)))
    return Descriptor();
  return opened_anew(descriptor);
}

/// As one update where the terminal knows such; without wrapping, should it find a line wider than we do.
std::string in_place_bytes(const std::vector<std::string> &lines) {
  std::string bytes = "\x1b[?2026h\x1b[?7l\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) bytes += "\r\n";
    bytes += lines[i];
    bytes += "\x1b[K";
  }
  return bytes + "\x1b[J\x1b[?7h\x1b[?2026l";
}

}  // namespace

void Keys::on() {
  if (gone_ || tcgetpgrp(STDIN_FILENO) != getpgrp()) return;
  if (!known_ && tcgetattr(STDIN_FILENO, &former_) != 0) return;
  known_ = true;
  termios quiet = former_;
  quiet.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  quiet.c_cc[VMIN] = 1;
  quiet.c_cc[VTIME] = 0;
  quiet.c_cc[VSUSP] = _POSIX_VDISABLE;
  on_ = tcsetattr(STDIN_FILENO, TCSANOW, &quiet) == 0;
}

void Keys::off() {
  if (on_) tcsetattr(STDIN_FILENO, TCSANOW, &former_);
  on_ = false;
}

int Keys::descriptor() const { return on_ ? STDIN_FILENO : -1; }

Keys::Wish Keys::read() {
  std::array<char, 256> keys{};
  const ssize_t size = ::read(STDIN_FILENO, keys.data(), keys.size());
  if (size <= 0) {
    off();
    gone_ = true;
    return Wish::none;
  }
  const cc_t suspend = former_.c_cc[VSUSP];
  for (const char key : std::string_view(keys.data(), static_cast<std::size_t>(size))) {
    if (key == 'q') return Wish::quit;
    if (suspend != _POSIX_VDISABLE && static_cast<cc_t>(key) == suspend) return Wish::stop;
  }
  return Wish::none;
}

FrameWriter::FrameWriter(int descriptor, const ViewSignals &signals)
    : descriptor_(descriptor), own_(own_way_to(descriptor)), signals_(signals) {}

bool FrameWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    // Where we could not open it anew, no more than fits into a pipe that is writable at all.
    const std::size_t size = own_ ? bytes.size() : std::min<std::size_t>(bytes.size(), PIPE_BUF);
    if (!own_ && !wait()) return false;
    const ssize_t written = ::write(own_ ? own_.get() : descriptor_, bytes.data(), size);
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      if (!wait()) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

/// Until something can be written. False: not in time.
bool FrameWriter::wait() {
  for (;;) {
    std::array<pollfd, 2> sources{
        {{descriptor_, POLLOUT, 0}, {hurried_ ? -1 : signals_.end_descriptor(), POLLIN, 0}}};
    const int ready = poll(sources.data(), sources.size(), hurried_ ? patience_ms : -1);
    if (ready == 0) return false;
    if (sources[0].revents != 0) return true;
    if (sources[1].revents != 0) hurry();
  }
}

Screen::Screen(int descriptor, const ViewSignals &signals)
    : descriptor_(descriptor),
      in_place_(has_cursor(descriptor)),
      signals_(signals),
      writer_(descriptor, signals) {}

Screen::~Screen() {
  if (entered_) leave();
}

bool Screen::enter() {
  stale_ = true;
  if (!in_place_) return true;
  if (!signals_.wait_for_foreground(descriptor_)) return false;
  keys_.on();
  (void)writer_.write(entered_ ? "\x1b[?25l" : "\x1b[?1049h\x1b[?25l");
  entered_ = true;
  return true;
}

bool Screen::leave() {
  if (!in_place_ || !std::exchange(entered_, false)) return false;
  (void)writer_.write("\x1b[?25h\x1b[?1049l");
  keys_.off();
  return true;
}

Style Screen::style() const {
  Style style = detect_style(descriptor_);
  if (!in_place_) return style;
  style.width = std::max<std::size_t>(style.width, 2) - 1;
  style.height = screen_size(descriptor_).rows;
  return style;
}

bool Screen::show(std::vector<std::string> lines) {
  if (in_place_) lines.resize(std::min(lines.size(), screen_size(descriptor_).rows));
  if (lines == lines_ && !stale_) return true;
  const std::string bytes = in_place_ ? in_place_bytes(lines) : appended_bytes(lines);
  lines_ = std::move(lines);
  stale_ = false;
  return writer_.write(bytes);
}

std::string Screen::appended_bytes(const std::vector<std::string> &lines) const {
  return (lines_.empty() ? "" : "\n") + joined(lines);
}

}  // namespace dsh::loader
