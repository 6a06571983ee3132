#include "measure_calls.hpp"

#include <algorithm>
#include <functional>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include "clock.hpp"
#include "json_line.hpp"
#include "limit.hpp"
#include "todo_host.hpp"

namespace dsh::bench {
namespace {

constexpr std::size_t stretches = 10;

using Texts = std::vector<std::string>;
using Session = std::shared_ptr<loader::Session>;

void call_all(TodoHost &host, loader::Session &session, const Texts &texts, std::size_t calls) {
  for (std::size_t i = 0; i < calls; ++i) host.call(session, texts[i % texts.size()]);
}

/// What is returned is of no use but that the work can't be optimised away.
std::size_t limit_all(ParseAndSerialise &work, const Texts &texts, std::size_t calls) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < calls; ++i) sum += work.run(texts[i % texts.size()]);
  return sum;
}

double cpu_of(const std::function<void()> &work) {
  const double before = cpu_us();
  work();
  return cpu_us() - before;
}

/// Wall time from the first of `count` threads that starts its work to the last that ends it. None starts
/// before all are there.
double wall_together(std::size_t count, const std::function<void(std::size_t thread)> &work) {
  std::latch ready(static_cast<std::ptrdiff_t>(count));
  std::vector<double> starts(count);
  std::vector<double> ends(count);
  {
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < count; ++thread)
      threads.emplace_back([&, thread] {
        ready.arrive_and_wait();
        starts[thread] = wall_us();
        work(thread);
        ends[thread] = wall_us();
      });
  }
  return *std::max_element(ends.begin(), ends.end()) - *std::min_element(starts.begin(), starts.end());
}

/// A new session every so often: what a session in memory grows by comes from the system, which is not
/// what is measured.
void call_in_turns(TodoHost &host, const Texts &texts, std::size_t calls) {
  constexpr std::size_t in_a_session = 500;
  while (calls > 0) {
    const std::size_t some = std::min(calls, in_a_session);
    const Session session = host.open_turn();
    call_all(host, *session, texts, some);
    host.host().sessions().dispose(session->id());
    calls -= some;
  }
}

double ours_together(std::size_t count, const Texts &texts, std::size_t calls) {
  TodoHost host;
  return wall_together(count, [&](std::size_t) { call_in_turns(host, texts, calls); });
}

double limit_together(std::size_t count, const Texts &texts, std::size_t calls) {
  std::vector<ParseAndSerialise> works(count);
  std::vector<std::size_t> sums(count);
  return wall_together(count,
                       [&](std::size_t thread) { sums[thread] = limit_all(works[thread], texts, calls); });
}

}  // namespace

std::string measure_call(std::size_t items, Content content, std::size_t calls) {
  const Texts texts = argument_texts(items, content);
  TodoHost host;
  ParseAndSerialise work;
  const std::size_t each = std::max<std::size_t>(calls / stretches, 1);
  double ours = 0;
  double limit = 0;
  std::size_t sum = 0;
  for (std::size_t stretch = 0; stretch <= stretches; ++stretch) {
    const Session session = host.open_turn();
    const double our_time = cpu_of([&] { call_all(host, *session, texts, each); });
    const double limit_time = cpu_of([&] { sum += limit_all(work, texts, each); });
    host.host().sessions().dispose(session->id());
    if (stretch == 0) continue;  // caches, branch predictors and the heap get ready
    ours += our_time;
    limit += limit_time;
  }
  const auto times = static_cast<double>(each * stretches);
  return json_line({{"ours_us", ours / times}, {"limit_us", limit / times}, {"sum", sum}});
}

std::string measure_calls(std::size_t items, std::size_t calls) {
  const Texts texts = argument_texts(items, Content::ordinary);
  TodoHost host;
  const std::size_t each = std::max<std::size_t>(calls / 10, 1);
  call_all(host, *host.open_turn(), texts, std::min<std::size_t>(each, 1000));
  const Session session = host.open_turn();
  boost::json::array tenths;
  for (int tenth = 0; tenth < 10; ++tenth)
    tenths.push_back(cpu_of([&] { call_all(host, *session, texts, each); }) / static_cast<double>(each));
  return json_line({{"tenths_us", tenths}});
}

std::string measure_threads(std::size_t count, std::size_t items, std::size_t calls) {
  const Texts texts = argument_texts(items, Content::ordinary);
  ours_together(count, texts, calls);  // caches and the heap get ready
  limit_together(count, texts, calls);
  return json_line({{"ours_alone_us", ours_together(1, texts, calls)},
                    {"limit_alone_us", limit_together(1, texts, calls)},
                    {"ours_together_us", ours_together(count, texts, calls)},
                    {"limit_together_us", limit_together(count, texts, calls)}});
}

}  // namespace dsh::bench
