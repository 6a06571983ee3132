#include "mcp/stdio_server.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "mcp/line_splitter.hpp"
#include "mcp/outbox.hpp"
#include "mcp/patience.hpp"
#include "text/deadline.hpp"
#include "text/error.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t input_piece = 256UL * 1024;

/// A pipe of the usual 64 KiB makes both sides take turns hundreds of times for a long line. Where it can't
/// be had, or this is no pipe, nothing is lost.
void widen_pipe(int descriptor) { (void)fcntl(descriptor, F_SETPIPE_SZ, 1024 * 1024); }

/// Does the error say no more than that the peer has gone? EIO: a terminal's.
bool is_gone(int error) { return error == EPIPE || error == ECONNRESET || error == EIO; }

[[noreturn]] void throw_cause(const std::string &what, int error) {
  throw Error(what + ": " + std::generic_category().message(error));
}

/// Of two timeouts as poll() has them.
int sooner(int one, int other) {
  if (one < 0 || other < 0) return std::max(one, other);
  return std::min(one, other);
}

class StdioServer {
 public:
  StdioServer(int input, int output, Agent &agent, const EndSignals &signals, const McpProtocol::Note &note)
      : input_(input),
        agent_(agent),
        signals_(signals),
        outbox_(output),
        lines_(longest_mcp_line),
        protocol_(
            agent,
            [this, terminal = ::isatty(output) == 1](std::string line) {
              outbox_.push(terminal ? visible_json(std::move(line)) : std::move(line));
            },
            note),
        piece_(input_piece) {
    widen_pipe(input);
    widen_pipe(output);
  }

  McpEnd run() {
    for (;;) {
      const bool answered = answer_line();
      if (outbox_.write_some()) last_taken_ = Clock::now();
      if (outbox_.is_broken()) return end_broken();
      if (!answered) {
        if (is_done()) {
          close_agent();  // before anybody waits for the peer
          if (outbox_.size() == 0) return end_answered();
        }
        if (is_stuck()) return end(McpEnd::stuck);
      }
      wait(answered);
    }
  }

 private:
  enum { signals_at, input_at, output_at, watch_at, source_count };
  using Sources = std::array<pollfd, source_count>;

  bool paused() const { return outbox_.size() >= most_mcp_answers; }

  /// Will no further line be answered?
  bool is_done() const { return is_over() || (input_ended_ && !paused()); }

  /// Whatever lines there are?
  bool is_over() const { return called_off_ || deserted_; }

  /// Answers the next line, if it is there, and there is room for an answer.
  bool answer_line() {
    if (paused() || is_over()) return false;
    const auto line = lines_.next();
    if (!line) return false;
    switch (line->loss) {
      case LineSplitter::Loss::none:
        protocol_.handle(line->text);
        break;
      case LineSplitter::Loss::too_long:
        protocol_.refuse_long_line(longest_mcp_line);
        break;
      case LineSplitter::Loss::no_memory:
        protocol_.refuse_lost_line();
        break;
    }
    signals_.next_piece();
    return true;
  }

  /// Until something has happened; with `more` to do, only looks. Then nothing is read: what is there has to
  /// be answered first.
  void wait(bool more) {
    // While paused, the input is polled only for the end of whoever writes it.
    const bool hears = !more && !input_ended_ && !(paused() && hung_up_);
    Sources sources{};
    sources[signals_at] = {called_off_ ? -1 : signals_.descriptor(), POLLIN, 0};
    sources[input_at] = {hears ? input_ : -1, static_cast<short>(paused() ? 0 : POLLIN), 0};
    sources[output_at] = {outbox_.descriptor(), static_cast<short>(outbox_.size() > 0 ? POLLOUT : 0), 0};
    // With more to do, the next line brings up what has changed.
    const bool tells = !more && !input_ended_ && !paused() && protocol_.has_subscriber();
    const Agent::Watch watch = tells ? agent_.watch() : Agent::Watch{};
    sources[watch_at] = {watch.descriptor, POLLIN, 0};
    if (rest(sources, more ? 0 : sooner(timeout(), watch.timeout)) < 0) return;
    if (sources[input_at].revents != 0) hear();
    if (sources[signals_at].revents != 0) call_off();
    if ((sources[output_at].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0)
      desert();
    else if (tells)
      protocol_.tell_changes();
  }

  int rest(Sources &sources, int timeout) const {
    const EndSignals::Rest rest(signals_);
    return poll(sources.data(), sources.size(), timeout);
  }

  void hear() {
    if (paused()) {
      // Whoever wrote is gone; what he wrote last can still be read when there is room.
      hung_up_ = true;
      last_taken_ = Clock::now();
      return;
    }
    const ssize_t size = read(input_, piece_.data(), piece_.size());
    if (size > 0) {
      lines_.add({piece_.data(), static_cast<std::size_t>(size)});
    } else if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
      if (size < 0 && !is_gone(errno)) input_error_ = errno;
      lines_.end();
      end_input();
    }
  }

  void end_input() {
    if (!input_ended_) last_taken_ = Clock::now();
    input_ended_ = true;
  }

  /// A signal has come. Lines that are not at work are left unanswered, and the signal bounds what is left.
  void call_off() {
    called_off_ = true;
    end_input();
  }

  /// Nobody is there to take an answer.
  void desert() {
    deserted_ = true;
    end_input();
  }

  bool is_ending() const { return input_ended_ || (hung_up_ && paused()); }

  bool is_stuck() const {
    return is_ending() && !called_off_ && outbox_.size() > 0 && Clock::now() >= last_taken_ + mcp_patience;
  }

  /// In milliseconds, −1: for ever.
  int timeout() const {
    return !is_ending() || called_off_ ? -1 : milliseconds_until(last_taken_ + mcp_patience);
  }

  void close_agent() {
    if (!std::exchange(closed_, true)) agent_.close();
  }

  McpEnd end_answered() {
    if (input_error_ != 0) throw_cause("can't read requests", input_error_);
    return !called_off_ && owes_answer() ? McpEnd::gone : McpEnd::answered;
  }

  bool owes_answer() {
    while (const auto line = lines_.next())
      if (line->loss != LineSplitter::Loss::none || McpProtocol::wants_answer(line->text)) return true;
    return false;
  }

  McpEnd end_broken() {
    close_agent();
    if (!is_gone(outbox_.error())) throw_cause("can't write an answer", outbox_.error());
    return McpEnd::gone;
  }

  McpEnd end(McpEnd how) {
    close_agent();
    return how;
  }

  const int input_;
  Agent &agent_;
  const EndSignals &signals_;
  Outbox outbox_;
  LineSplitter lines_;
  McpProtocol protocol_;
  std::vector<char> piece_;
  bool input_ended_ = false;
  bool called_off_ = false;
  bool deserted_ = false;
  int input_error_ = 0;
  bool hung_up_ = false;
  bool closed_ = false;
  Clock::time_point last_taken_ = Clock::now();
};

}  // namespace

McpEnd serve_mcp(int input, int output, Agent &agent, const EndSignals &signals,
                 const McpProtocol::Note &note) {
  return StdioServer(input, output, agent, signals, note).run();
}

}  // namespace dsh::loader
