// What compare.sh runs: each measure prints one line of JSON, times as CPU time of this process.
//
//   dsh-measure inputs ITEMS CONTENT                 the argument texts themselves, one a line
//   dsh-measure call ITEMS CONTENT CALLS             {"ours_us":…,"limit_us":…} for one call
//   dsh-measure growth ITEMS CALLS                   {"first_us":…,"last_us":…} first and last tenth of CALLS
//   dsh-measure threads N ITEMS CALLS                {"wall_us":…} for CALLS calls on each of N sessions
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "inputs.hpp"
#include "limit.hpp"
#include "todo_host.hpp"

namespace {

using namespace dsh;

double cpu_us() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

/// The cost of one of `times` runs, each given its number; as many run before, a tenth at the most.
double cost(std::size_t times, const std::function<void(std::size_t)> &run) {
  for (std::size_t i = 0; i < times / 10 + 1; ++i) run(i);
  const double before = cpu_us();
  for (std::size_t i = 0; i < times; ++i) run(i);
  return (cpu_us() - before) / static_cast<double>(times);
}

void inputs(std::size_t items, std::string_view content) {
  for (const std::string &text : bench::argument_texts(items, bench::content_of(content)))
    std::printf("%s\n", text.c_str());
}

void call(std::size_t items, std::string_view content, std::size_t calls) {
  const auto texts = bench::argument_texts(items, bench::content_of(content));
  bench::TodoHost host;
  const auto session = host.open_turn();
  const double ours = cost(calls, [&](std::size_t i) { host.call(*session, texts[i % texts.size()]); });
  bench::ParseAndSerialise work;
  std::size_t sum = 0;
  const double limit = cost(calls, [&](std::size_t i) { sum += work.run(texts[i % texts.size()]); });
  std::printf("{\"ours_us\":%.3f,\"limit_us\":%.3f,\"sum\":%zu}\n", ours, limit, sum);
}

void growth(std::size_t items, std::size_t calls) {
  const auto texts = bench::argument_texts(items, bench::Content::ordinary);
  bench::TodoHost host;
  const auto session = host.open_turn();
  std::vector<double> tenths;
  for (int tenth = 0; tenth < 10; ++tenth) {
    const double before = cpu_us();
    for (std::size_t i = 0; i < calls / 10; ++i) host.call(*session, texts[i % texts.size()]);
    tenths.push_back((cpu_us() - before) / static_cast<double>(calls / 10));
  }
  std::printf("{\"first_us\":%.3f,\"last_us\":%.3f}\n", tenths.front(), tenths.back());
}

void threads(std::size_t count, std::size_t items, std::size_t calls) {
  const auto texts = bench::argument_texts(items, bench::Content::ordinary);
  bench::TodoHost host;
  std::vector<std::shared_ptr<loader::Session>> sessions;
  for (std::size_t i = 0; i < count; ++i) sessions.push_back(host.open_turn());
  const auto before = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> running;
    for (const auto &session : sessions)
      running.emplace_back([&host, &texts, calls, session] {
        for (std::size_t i = 0; i < calls; ++i) host.call(*session, texts[i % texts.size()]);
      });
  }
  const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - before;
  std::printf("{\"wall_us\":%.3f}\n", wall.count() / static_cast<double>(calls));
}

std::size_t number(const char *text) { return std::strtoull(text, nullptr, 10); }

}  // namespace

int main(int argc, char **argv) try {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "inputs" && argc == 4)
    inputs(number(argv[2]), argv[3]);
  else if (what == "call" && argc == 5)
    call(number(argv[2]), argv[3], number(argv[4]));
  else if (what == "growth" && argc == 4)
    growth(number(argv[2]), number(argv[3]));
  else if (what == "threads" && argc == 5)
    threads(number(argv[2]), number(argv[3]), number(argv[4]));
  else {
    std::fprintf(stderr, "usage: see the head of measure.cpp\n");
    return 2;
  }
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "dsh-measure: %s\n", error.what());
  return 2;
}
