#include "view/live_view.hpp"

#include <poll.h>

#include <array>
#include <chrono>
#include <csignal>

#include "log/file_watch.hpp"
#include "text/deadline.hpp"
#include "text/error.hpp"
#include "view/plan_view.hpp"
#include "view/screen.hpp"
#include "view/view_signals.hpp"

namespace dsh::loader {
namespace {

using Clock = std::chrono::steady_clock;

/// Frames follow each other no faster: a log that grows by thousands of events a second costs no more.
constexpr std::chrono::milliseconds between_frames{40};

/// The loop: draws when something has changed, sleeps else.
class LiveView {
 public:
  LiveView(int descriptor, const DrawFrame &draw, const FrameSources &sources)
      : descriptor_(descriptor), draw_(draw), sources_(sources), screen_(descriptor, signals_) {}

  int run() {
    (void)draw_(screen_.style());  // before anything touches the terminal: it may throw
    enter();
    while (!ended_) {
      if (changed_ && Clock::now() >= next_frame_) show();
      if (!ended_) wait();
    }
    const bool was_seen = screen_.leave();
    if (was_seen) leave_plan();
    return signal_;
  }

 private:
  void show() {
    changed_ = false;
    next_frame_ = Clock::now() + between_frames;
    // Somebody else's terminal, perhaps: who stops us by force tells afterwards.
    if (screen_.in_background()) enter();
    if (ended_) return;
    // Watched before it is read; what comes in between may lead elsewhere.
    while (watch_.watch(sources_())) {
    }
    if (!screen_.show(drawn(screen_.style()))) end(signals_.next_end());
  }

  /// What was to be seen, for good, above the line that the shell writes next.
  void leave_plan() {
    Style style = screen_.style();
    if (style.height > 1) --style.height;
    screen_.append(drawn(style));
  }

  std::vector<std::string> drawn(const Style &style) const {
    try {
      return draw_(style);
    } catch (const std::exception &problem) {
      return problem_lines(text_of(problem), style);
    }
  }

  /// Until something happens, or it is time to look.
  void wait() {
    std::array<pollfd, 4> sources{{{signals_.descriptor(), POLLIN, 0},
                                   {changed_ ? -1 : watch_.descriptor(), POLLIN, 0},
                                   {screen_.keys().descriptor(), POLLIN, 0},
                                   {descriptor_, 0, 0}}};
    const int ready = poll(sources.data(), sources.size(), timeout());
    if (!changed_) changed_ = watch_.changed();
    if (ready <= 0) return;
    if (sources[0].revents != 0) take_signals();
    // What is typed after Ctrl-C is for the shell.
    if (!ended_ && sources[2].revents != 0) take_keys();
    if ((sources[3].revents & (POLLERR | POLLHUP)) != 0) ended_ = true;
  }

  /// In milliseconds, −1: for ever.
  int timeout() const { return changed_ ? milliseconds_until(next_frame_) : watch_.timeout(); }

  void take_signals() {
    while (const int signal = signals_.next()) {
      switch (signal) {
        case SIGWINCH:
          redraw();
          break;
        case SIGTSTP:
          screen_.leave();
          ViewSignals::stop();
          come_back();
          break;
        case SIGCONT:
          // Stopped by force, perhaps: the shell has used the screen meanwhile.
          come_back();
          break;
        default:
          end(signal);
      }
    }
  }

  void take_keys() {
    const Keys::Wish wish = screen_.keys().read();
    if (wish == Keys::Wish::quit) end(0);
    if (wish != Keys::Wish::stop) return;
    screen_.leave();
    ViewSignals::stop_job();
    come_back();
  }

  void come_back() {
    enter();
    redraw();
  }

  void enter() {
    if (!screen_.enter()) end(signals_.next_end());
  }

  /// `signal` 0: none wants it.
  void end(int signal) {
    if (signal != 0) screen_.hurry();
    signal_ = signal;
    ended_ = true;
  }

  void redraw() {
    screen_.forget();
    changed_ = true;
    next_frame_ = Clock::now();
  }

  int descriptor_;
  const DrawFrame &draw_;
  const FrameSources &sources_;
  ViewSignals signals_;
  Screen screen_;
  FileWatch watch_;
  bool changed_ = true;
  bool ended_ = false;
  int signal_ = 0;
  Clock::time_point next_frame_ = Clock::now();
};

}  // namespace

int show_live(int descriptor, const DrawFrame &draw, const FrameSources &sources) {
  return LiveView(descriptor, draw, sources).run();
}

}  // namespace dsh::loader
