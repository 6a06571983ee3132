#include "services/gate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace dsh::loader {
namespace {

// Waits for a condition that another thread brings about.
template <typename Condition>
void until(Condition condition) {
  while (!condition()) std::this_thread::yield();
}

TEST(Gate, runs_a_change_at_once_when_nothing_runs) {
  Gate gate;
  bool changing = false;
  bool closed = false;
  EXPECT_TRUE(gate.change([&] {
    changing = gate.changing();
    closed = gate.closed();
  }));
  EXPECT_TRUE(changing);
  EXPECT_TRUE(closed);
  EXPECT_FALSE(gate.changing());
  EXPECT_FALSE(gate.closed());
  EXPECT_FALSE(gate.inside());
}

TEST(Gate, passes_the_exception_of_a_change_and_stays_open) {
  Gate gate;
  EXPECT_THROW(gate.change([] { throw std::runtime_error("no"); }), std::runtime_error);
  const Gate::Call call(gate);
  EXPECT_TRUE(gate.inside());
}

TEST(Gate, puts_a_change_off_until_the_outermost_call_has_returned) {
  Gate gate;
  std::vector<int> order;
  {
    const Gate::Call outer(gate);
    {
      const Gate::Call inner(gate);
      EXPECT_FALSE(gate.change([&] { order.push_back(2); }));
      EXPECT_FALSE(gate.change([&] { order.push_back(3); }));
    }
    order.push_back(1);
  }
  EXPECT_EQ(order, (std::vector{1, 2, 3}));
}

TEST(Gate, puts_a_change_asked_for_inside_a_change_off_until_that_is_done) {
  Gate gate;
  std::vector<int> order;
  gate.change([&] {
    const Gate::Call call(gate);  // a plugin's function, called while it is applied
    EXPECT_FALSE(gate.change([&] { order.push_back(2); }));
    order.push_back(1);
  });
  EXPECT_EQ(order, (std::vector{1, 2}));
}

TEST(Gate, survives_a_deferred_change_that_throws) {
  Gate gate;
  bool second = false;
  {
    const Gate::Call call(gate);
    gate.change([] { throw std::runtime_error("no"); });
    gate.change([&] { second = true; });
  }
  EXPECT_TRUE(second);
}

TEST(Gate, a_change_waits_for_calls_that_run_and_calls_that_start_wait_for_it) {
  Gate gate;
  std::atomic<bool> changed{false};
  std::optional<Gate::Call> running(std::in_place, gate);
  std::thread changer([&] { gate.change([&] { changed = true; }); });
  until([&] { return gate.closed(); });
  std::atomic<bool> entering{false};
  std::atomic<bool> entered{false};
  std::thread late([&] {
    entering = true;
    const Gate::Call call(gate);
    EXPECT_TRUE(changed);
    entered = true;
  });
  until([&] { return entering.load(); });
  EXPECT_FALSE(changed);
  EXPECT_FALSE(entered);
  {
    const Gate::Call nested(gate);  // the one that runs may still nest
  }
  running.reset();
  changer.join();
  late.join();
  EXPECT_TRUE(entered);
}

TEST(Gate, a_steady_stream_of_calls_does_not_starve_a_change) {
  Gate gate;
  std::atomic<bool> stop{false};
  std::atomic<int> running{0};
  std::atomic<int> calls{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      while (!stop) {
        const Gate::Call call(gate);
        ++running;
        ++calls;
        std::this_thread::yield();
        --running;
      }
    });
  int changes = 0;
  for (int i = 0; i < 50; ++i) {
    const int before = calls;
    until([&] { return calls > before; });  // the stream flows again after each change
    EXPECT_TRUE(gate.change([&] {
      ++changes;
      EXPECT_EQ(running, 0);
      const int during = calls;
      std::this_thread::yield();
      EXPECT_EQ(calls, during);
    }));
  }
  EXPECT_EQ(changes, 50);
  stop = true;
  for (std::thread &caller : callers) caller.join();
}

TEST(Gate, never_runs_a_call_beside_a_change) {
  Gate gate;
  int plain = 0;  // guarded by the gate alone
  std::atomic<std::int64_t> seen{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < 3000; ++n) {
        if (n % 50 == i) {
          gate.change([&] { plain += 1; });
        } else {
          const Gate::Call call(gate);
          const Gate::Call nested(gate);
          seen += plain;
        }
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(plain, 6 * 60);
}

TEST(Gate, two_gates_are_independent_on_one_stack) {
  Gate first;
  Gate second;
  const Gate::Call call(first);
  EXPECT_FALSE(second.inside());
  bool ran = false;
  EXPECT_TRUE(second.change([&] {
    ran = true;
    EXPECT_FALSE(first.changing());
  }));
  EXPECT_TRUE(ran);
}

TEST(Gate, changes_of_two_hosts_never_run_at_once) {
  Gate gates[2];
  std::atomic<int> inside{0};
  std::vector<std::thread> threads;
  for (Gate &gate : gates)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i)
        gate.change([&] {
          EXPECT_EQ(++inside, 1);
          --inside;
        });
    });
  for (std::thread &thread : threads) thread.join();
}

TEST(Gate, a_host_inside_a_call_of_another_changes_without_deadlock) {
  Gate outer;
  Gate inner;
  std::optional<std::thread> changer;
  {
    const Gate::Call call(outer);
    changer.emplace([&] { outer.change([] {}); });  // waits for the call above
    until([&] { return outer.closed(); });
    EXPECT_TRUE(inner.change([] {}));
  }
  changer->join();
}

}  // namespace
}  // namespace dsh::loader
