// The server over real pipes and sockets, in a thread of its own.
#include "mcp/stdio_server.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <future>
#include <thread>

#include "fake_agent.hpp"
#include "mcp/patience.hpp"
#include "support/comes_to_rest.hpp"

namespace dsh::loader {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                         "\n";
const std::string pong = R"({"jsonrpc":"2.0","id":1,"result":{}})"
                         "\n";

const std::string call = R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}})"
                         "\n";

enum class Kind { pipes, sockets };

constexpr auto long_enough = 100s;  // on the busiest machine

class StdioServer : public testing::TestWithParam<Kind> {
 protected:
  StdioServer() {
    signal(SIGPIPE, SIG_IGN);
    connect(server_in_, client_out_);
    connect(client_in_, server_out_);
  }

  ~StdioServer() override {
    hang_up();
    stop_hearing();
    if (end_.valid()) end_.wait();
  }

  void start() {
    end_ = std::async(std::launch::async, [this] {
      const EndSignals signals;
      thread_ = pthread_self();
      started_.set_value();
      const McpEnd end = serve_mcp(server_in_, server_out_, agent_, signals, [](std::string_view) {});
      close(server_out_);
      close(server_in_);  // whoever still writes is not to wait for ever
      return end;
    });
    started_.get_future().wait();
  }

  /// As much as the server takes before it ends.
  void say(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t size = write(client_out_, text.data(), text.size());
      if (size < 0 && (errno == EPIPE || errno == ECONNRESET)) return;
      ASSERT_GT(size, 0);
      text.remove_prefix(static_cast<std::size_t>(size));
    }
  }

  void hang_up() {
    if (client_out_ >= 0) close(client_out_);
    client_out_ = -1;
  }

  void stop_hearing() {
    if (client_in_ >= 0) close(client_in_);
    client_in_ = -1;
  }

  /// A client that has subscribed to the plan, and has heard that.
  void start_subscribed() {
    start();
    say(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"
        "\n"
        R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"todo://plan"}})"
        "\n");
    std::string heard;
    while (!heard.ends_with(pong)) heard += hear(1);
  }

  /// What comes until the end, or `size` bytes.
  std::string hear(std::size_t size = static_cast<std::size_t>(-1)) const {
    std::string text;
    std::vector<char> piece(65536);
    while (text.size() < size) {
      pollfd ready{client_in_, POLLIN, 0};
      if (poll(&ready, 1, std::chrono::milliseconds(long_enough).count()) != 1) return text + "<nothing>";
      const ssize_t got = read(client_in_, piece.data(), std::min(piece.size(), size - text.size()));
      if (got <= 0) break;
      text.append(piece.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

  /// How many lines come until the end. Nothing is kept: there may be a hundred million bytes.
  std::size_t hear_lines() const {
    constexpr std::size_t size = 1'000'000;
    std::size_t lines = 0;
    std::string piece;
    do {
      piece = hear(size);
      for (std::size_t at = 0; (at = piece.find('\n', at)) != std::string::npos; ++at) ++lines;
    } while (piece.size() == size);
    return lines;
  }

  McpEnd finish() {
    EXPECT_EQ(end_.wait_for(long_enough), std::future_status::ready);
    const McpEnd end = end_.get();
    EXPECT_EQ(agent_.closed, 1);
    return end;
  }

  FakeAgent agent_;
  int client_out_ = -1;
  int client_in_ = -1;
  int server_in_ = -1;
  int server_out_ = -1;
  pthread_t thread_{};
  std::promise<void> started_;
  std::future<McpEnd> end_;
  std::atomic<bool> goes_ = false;  // when the server looks next

 private:
  static void connect(int &reader, int &writer) {
    int ends[2];
    const int made = GetParam() == Kind::pipes ? pipe2(ends, O_CLOEXEC)
                                               : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
    ASSERT_EQ(made, 0);
    reader = ends[0];
    writer = ends[1];
  }
};

INSTANTIATE_TEST_SUITE_P(Over, StdioServer, testing::Values(Kind::pipes, Kind::sockets),
                         [](const auto &one) { return one.param == Kind::pipes ? "pipes" : "sockets"; });

TEST_P(StdioServer, the_end_of_input_at_once_is_the_end) {
  hang_up();
  start();
  EXPECT_EQ(finish(), McpEnd::answered);
}

TEST_P(StdioServer, every_line_is_answered_before_the_end_the_last_without_its_line_end_too) {
  start();
  say(ping + ping + ping.substr(0, ping.size() - 1));
  hang_up();
  EXPECT_EQ(hear(3 * pong.size()), pong + pong + pong);
  EXPECT_EQ(finish(), McpEnd::answered);
}

TEST_P(StdioServer, a_line_may_come_byte_by_byte) {
  start();
  for (const char byte : ping) {
    say({&byte, 1});
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(hear(pong.size()), pong);
}

TEST_P(StdioServer, a_signal_ends_it_with_every_answer_given) {
  start();
  say(ping);
  EXPECT_EQ(hear(pong.size()), pong);
  pthread_kill(thread_, SIGTERM);
  EXPECT_EQ(finish(), McpEnd::answered);
}

TEST_P(StdioServer, a_line_of_megabytes_is_answered) {
  start();
  const std::string big(5'000'000, 'x');  // more than a wide pipe holds, and than is written at once
  auto talk = std::async(std::launch::async, [&] {
    say(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"
        "\n"
        R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"a":")" +
        big + "\"}}}\n");
    hang_up();
  });
  const std::string answers = hear();
  talk.wait();
  EXPECT_EQ(finish(), McpEnd::answered);
  EXPECT_EQ(agent_.calls.at(0).size(), big.size() + 8);
  EXPECT_GT(answers.size(), big.size());
  EXPECT_THAT(answers.substr(answers.size() - 25), testing::EndsWith("\"isError\":false}}\n"));
}

TEST_P(StdioServer, a_line_beyond_the_bound_is_refused_and_the_next_one_answered) {
  start();
  auto talk = std::async(std::launch::async, [&] {
    const std::string piece(1 << 20, 'x');
    for (std::size_t sent = 0; sent <= longest_mcp_line; sent += piece.size()) say(piece);
    say("\n" + ping);
    hang_up();
  });
  const std::string answers = hear(100 + pong.size());
  EXPECT_THAT(answers, testing::HasSubstr("-32700"));
  talk.wait();
}

TEST_P(StdioServer, who_asks_and_asks_and_never_reads_is_heard_again_when_he_reads) {
  agent_.call_text = std::string(8'000'000, 'x');
  const std::size_t calls = most_mcp_answers / agent_.call_text.size() + 1;
  start();
  say(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"
      "\n");
  const std::string long_ping =
      R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":")" + std::string(5000, 'x') + "\"}}\n";
  std::string pings;  // more than a wide pipe and the server hold
  while (pings.size() < 4'000'000) pings += long_ping;
  auto talk = std::async(std::launch::async, [&] {
    for (std::size_t i = 0; i < calls; ++i) say(call);
    say(pings);
    hang_up();
  });
  EXPECT_EQ(talk.wait_for(1s), std::future_status::timeout) << "it should have stopped reading";
  EXPECT_EQ(hear_lines(), 1 + calls + pings.size() / long_ping.size());
  talk.wait();
  EXPECT_EQ(finish(), McpEnd::answered);
}

TEST_P(StdioServer, who_takes_nothing_after_the_end_of_input_is_waited_for_and_left) {
  agent_.plan_text = '"' + std::string(8'000'000, 'x') + '"';
  start();
  say(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"todo://plan"}})"
      "\n");
  const auto before = Clock::now();
  hang_up();
  EXPECT_EQ(finish(), McpEnd::stuck);
  EXPECT_GE(Clock::now() - before, mcp_patience);
}

TEST_P(StdioServer, a_peer_that_goes_before_his_answers_ends_it) {
  agent_.plan_text = '"' + std::string(8'000'000, 'x') + '"';
  start();
  say(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"todo://plan"}})"
      "\n");
  hear(100);
  stop_hearing();
  EXPECT_EQ(finish(), McpEnd::gone);
}

TEST_P(StdioServer, a_peer_that_goes_with_all_his_answers_leaves_nothing_to_do) {
  start();
  say(ping);
  hear(pong.size());
  stop_hearing();
  EXPECT_EQ(finish(), McpEnd::answered);
}

const std::string notification = R"({"jsonrpc":"2.0","method":"notifications/whatever"})"
                                 "\n";

TEST_P(StdioServer, once_nobody_is_there_to_take_an_answer_no_further_line_is_carried_out) {
  agent_.on_look = [&] {
    if (goes_) stop_hearing();
  };
  start_subscribed();
  goes_ = true;
  say(notification + call + call);
  EXPECT_EQ(finish(), McpEnd::gone);
  EXPECT_THAT(agent_.calls, testing::IsEmpty());
}

TEST_P(StdioServer, a_peer_that_goes_owed_nothing_leaves_nothing_to_do) {
  agent_.on_look = [&] {
    if (goes_) stop_hearing();
  };
  start_subscribed();
  goes_ = true;
  say(notification + notification + notification);
  EXPECT_EQ(finish(), McpEnd::answered);
}

TEST_P(StdioServer, looks_for_changes_where_nobody_tells_of_them) {
  agent_.look_at = {-1, 1};
  start_subscribed();
  agent_.changed = true;
  const std::string updated =
      R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"todo://plan"}})"
      "\n";
  EXPECT_EQ(hear(updated.size()), updated);
}

TEST_P(StdioServer, sleeps_while_nobody_speaks) {
  start();
  say(ping);
  hear(pong.size());
  const auto cpu = [&] {
    clockid_t clock{};
    timespec time{};
    pthread_getcpuclockid(thread_, &clock);
    clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  EXPECT_TRUE(test::comes_to_rest(cpu));
}

}  // namespace
}  // namespace dsh::loader
