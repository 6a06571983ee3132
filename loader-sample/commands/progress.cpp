#include "commands/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "view/styled_line.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

void write_to_stderr(const std::string &text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); }

}  // namespace

Progress::Progress(std::function<Clock::time_point()> now)
    : now_(std::move(now)), terminal_(has_cursor(STDERR_FILENO)), next_(now_() + std::chrono::seconds(1)) {}

Progress::~Progress() { wipe(); }

void Progress::show(const std::string &what, std::uint64_t done, std::uint64_t total) {
  const Clock::time_point now = now_();
  if (!terminal_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  const std::uint64_t percent = total == 0 ? 0 : std::min<std::uint64_t>(100, done * 100 / total);
  Style style = detect_style(STDERR_FILENO);
  if (style.width > 1) --style.width;  // a line that fills the last column would wrap
  StyledLine line(style);
  line.add(std::to_string(percent) + " %  ", Paint::dim).add(shown(what, style));
  write_to_stderr("\r\x1b[K" + line.text());
  drawn_ = true;
}

void Progress::wipe() {
  if (drawn_) write_to_stderr("\r\x1b[K");
  drawn_ = false;
}

}  // namespace dsh::loader
