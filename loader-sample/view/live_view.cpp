#include "view/live_view.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <string_view>

#include "log/file_watch.hpp"
#include "text/error.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Frames follow each other no faster: a log that grows by thousands of events a second costs no more.
constexpr milliseconds between_frames{40};
/// How often to look where the kernel does not tell.
constexpr milliseconds between_looks{1000};

/// False: the reader has gone.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{descriptor, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

/// The signals as a descriptor, while it lives.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT})
      sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, &former_);
    descriptor_ = signalfd(-1, &set_, SFD_NONBLOCK | SFD_CLOEXEC);
    if (descriptor_ < 0) {
      pthread_sigmask(SIG_SETMASK, &former_, nullptr);
      throw Error("can't watch for signals: too many open files?");
    }
  }
  ~Signals() {
    close(descriptor_);
    pthread_sigmask(SIG_SETMASK, &former_, nullptr);
  }
  Signals(const Signals &) = delete;
  Signals &operator=(const Signals &) = delete;

  int descriptor() const { return descriptor_; }

  /// The next one that has come, 0: none.
  int next() const {
    signalfd_siginfo info{};
    return read(descriptor_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
  }

  /// Stops the process as the signal would have; returns when it goes on.
  static void stop() {
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    (void)raise(SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);
    pthread_sigmask(SIG_BLOCK, &stop, nullptr);
  }

 private:
  sigset_t set_{};
  sigset_t former_{};
  int descriptor_ = -1;
};

/// Keys come one by one and unseen, while it is on; nothing where standard input is not our terminal.
class Keys {
 public:
  ~Keys() { off(); }

  void on() {
    if (gone_ || tcgetpgrp(STDIN_FILENO) != getpgrp()) return;
    if (!known_ && tcgetattr(STDIN_FILENO, &former_) != 0) return;
    known_ = true;
    termios quiet = former_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    quiet.c_cc[VMIN] = 1;
    quiet.c_cc[VTIME] = 0;
    on_ = tcsetattr(STDIN_FILENO, TCSANOW, &quiet) == 0;
  }

  void off() {
    if (on_) tcsetattr(STDIN_FILENO, TCSANOW, &former_);
    on_ = false;
  }

  /// To be polled; −1: nothing is.
  int descriptor() const { return on_ ? STDIN_FILENO : -1; }

  /// Reads what was typed: was `q` among it?
  bool quit() {
    std::array<char, 256> keys{};
    const ssize_t size = read(STDIN_FILENO, keys.data(), keys.size());
    if (size <= 0) {
      off();
      gone_ = true;
      return false;
    }
    return std::find(keys.begin(), keys.begin() + size, 'q') != keys.begin() + size;
  }

 private:
  termios former_{};
  bool known_ = false;  ///< former_ is what we found, not what we set
  bool on_ = false;
  bool gone_ = false;
};

/// Where the frames go.
class Screen {
 public:
  explicit Screen(int descriptor) : descriptor_(descriptor), in_place_(has_cursor(descriptor)) {}
  ~Screen() {
    if (entered_) leave();
  }
  Screen(const Screen &) = delete;
  Screen &operator=(const Screen &) = delete;

  bool in_place() const { return in_place_; }

  /// Also where it is entered already, and perhaps overwritten.
  void enter() {
    stale_ = true;
    if (!in_place_) return;
    keys_.on();
    write_all(descriptor_, entered_ ? "\x1b[?25l" : "\x1b[?1049h\x1b[?25l");
    entered_ = true;
  }

  void leave() {
    if (!in_place_) return;
    write_all(descriptor_, "\x1b[?25h\x1b[?1049l");
    keys_.off();
    entered_ = false;
  }

  /// One column less than the terminal has: what fills a line to its end moves the cursor to a place on which
  /// terminals disagree.
  Style style() const {
    Style style = detect_style(descriptor_);
    if (!in_place_) return style;
    style.width = std::max<std::size_t>(style.width, 2) - 1;
    style.height = screen_size(descriptor_).rows;
    return style;
  }

  /// Writes the frame unless it is there already. False: the reader has gone.
  bool show(std::vector<std::string> lines) {
    if (in_place_) {
      const std::size_t rows = screen_size(descriptor_).rows;
      if (rows != 0 && lines.size() > rows) lines.resize(rows);
    }
    if (lines == lines_ && !stale_) return true;
    const std::string bytes = in_place_ ? in_place_bytes(lines) : appended_bytes(lines);
    lines_ = std::move(lines);
    stale_ = false;
    return write_all(descriptor_, bytes);
  }

  /// What stands there is of another size.
  void forget() { stale_ = true; }

  Keys &keys() { return keys_; }

 private:
  /// As one update where the terminal knows such; without wrapping, should it find a line wider than we do.
  static std::string in_place_bytes(const std::vector<std::string> &lines) {
    std::string bytes = "\x1b[?2026h\x1b[?7l\x1b[H";
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i > 0) bytes += "\r\n";
      bytes += lines[i];
      bytes += "\x1b[K";
    }
    return bytes + "\x1b[J\x1b[?7h\x1b[?2026l";
  }

  std::string appended_bytes(const std::vector<std::string> &lines) const {
    std::string bytes = lines_.empty() ? "" : "\n";
    for (const std::string &line : lines) bytes += line + "\n";
    return bytes;
  }

  int descriptor_;
  bool in_place_;
  bool entered_ = false;
  Keys keys_;
  std::vector<std::string> lines_;
  bool stale_ = true;
};

/// The loop: draws when something has changed, sleeps else.
class LiveView {
 public:
  LiveView(int descriptor, const DrawFrame &draw)
      : descriptor_(descriptor), draw_(draw), screen_(descriptor) {}

  int run() {
    const Frame first = draw_(screen_.style());  // before anything touches the terminal: it may throw
    watch_.watch(first.directories);
    directories_ = first.directories;
    screen_.enter();
    while (!ended_) {
      if (changed_ && Clock::now() >= next_frame_) show();
      if (!ended_) wait();
    }
    screen_.leave();
    if (screen_.in_place()) leave_plan();
    return signal_;
  }

 private:
  void show() {
    changed_ = false;
    next_frame_ = Clock::now() + between_frames;
    const Style style = screen_.style();
    Frame frame = drawn(style);
    // Something may have changed between the reading and the watching.
    if (watch_.watch(frame.directories)) changed_ = true;
    directories_ = std::move(frame.directories);
    if (!screen_.show(std::move(frame.lines))) ended_ = true;
  }

  /// What was to be seen, for good, above the line that the shell writes next.
  void leave_plan() const {
    Style style = screen_.style();
    if (style.height > 1) --style.height;
    std::string bytes;
    for (const std::string &line : drawn(style).lines) bytes += line + "\n";
    write_all(descriptor_, bytes);
  }

  Frame drawn(const Style &style) const {
    try {
      return draw_(style);
    } catch (const std::exception &problem) {
      return {{StyledLine(style).add("! ", Paint::red).add(shown(problem.what(), style), Paint::red).text()},
              directories_};
    }
  }

  /// Until something happens, or it is time to look.
  void wait() {
    std::array<pollfd, 4> sources{{{signals_.descriptor(), POLLIN, 0},
                                   {changed_ ? -1 : watch_.descriptor(), POLLIN, 0},
                                   {screen_.keys().descriptor(), POLLIN, 0},
                                   {descriptor_, 0, 0}}};
    const int ready = poll(sources.data(), sources.size(), timeout());
    if (ready == 0) changed_ = true;
    if (ready <= 0) return;
    if (sources[0].revents != 0) take_signals();
    if (sources[1].revents != 0) {
      watch_.drain();
      changed_ = true;
    }
    // What is typed after Ctrl-C is for the shell.
    if (!ended_ && sources[2].revents != 0 && screen_.keys().quit()) ended_ = true;
    if ((sources[3].revents & (POLLERR | POLLHUP)) != 0) ended_ = true;
  }

  /// In milliseconds, −1: for ever.
  int timeout() const {
    if (changed_) {
      const auto left = std::chrono::ceil<milliseconds>(next_frame_ - Clock::now());
      return static_cast<int>(std::max<milliseconds::rep>(left.count(), 0));
    }
    return watch_.has_all() ? -1 : static_cast<int>(between_looks.count());
  }

  void take_signals() {
    while (const int signal = signals_.next()) {
      switch (signal) {
        case SIGWINCH:
          redraw();
          break;
        case SIGTSTP:
          screen_.leave();
          Signals::stop();
          screen_.enter();
          redraw();
          break;
        case SIGCONT:
          // Stopped by force, perhaps: the shell has used the screen meanwhile.
          screen_.enter();
          redraw();
          break;
        default:
          signal_ = signal;
          ended_ = true;
      }
    }
  }

  void redraw() {
    screen_.forget();
    changed_ = true;
    next_frame_ = Clock::now();
  }

  int descriptor_;
  const DrawFrame &draw_;
  Signals signals_;
  Screen screen_;
  FileWatch watch_;
  std::vector<std::filesystem::path> directories_;
  bool changed_ = true;
  bool ended_ = false;
  int signal_ = 0;
  Clock::time_point next_frame_ = Clock::now();
};

}  // namespace

int show_live(int descriptor, const DrawFrame &draw) { return LiveView(descriptor, draw).run(); }

}  // namespace dsh::loader
