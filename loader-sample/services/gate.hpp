// Calls that run, and changes that wait for them.
//
// A call (a tool's execution, an append, a read of a projection) enters the gate; calls run beside
// each other and nest on one stack. A change ([setup] in the contract: loading, unloading, a service
// that comes or goes) runs alone: it waits for the calls that run, and calls that start meanwhile wait
// for it, so a steady stream of calls cannot starve it. Asked for from inside a call, a change is put
// off until the outermost call on that thread has returned.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dsh::loader {

/// Any thread. Outlives its calls.
class Gate {
 public:
  /// A call that runs: from construction to destruction, on one thread, as an object on its stack.
  class Call {
   public:
    explicit Call(Gate &gate);
    ~Call();
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

   private:
    friend class Gate;
    Gate &gate_;
    Call *const outer_;                            // the next call down this thread's stack, of any gate
    const bool nested_;                            // this gate was entered further down
    std::vector<std::function<void()>> deferred_;  // of the outermost call: to run when it has returned
  };

  Gate() = default;
  Gate(const Gate &) = delete;
  Gate &operator=(const Gate &) = delete;

  /// Runs `change` alone and returns true; exceptions pass. Called from inside a call, or from inside
  /// another change, keeps it for when that has returned, and returns false; its exceptions are then
  /// dropped, so it reports its failures itself.
  bool change(std::function<void()> change);

  /// Is this thread inside a change?
  bool changing() const noexcept;

  /// Does a change run, or wait for calls that run? Calls that start now wait for it.
  bool closed() const noexcept { return waiting_.load() != 0; }

  /// Is this thread inside a call, or a change?
  bool inside() const noexcept;

 private:
  // Counters of running calls, a few so that threads seldom share a cache line.
  struct alignas(64) Counter {
    std::atomic<std::ptrdiff_t> running{0};
  };

  Call *outermost_call() const noexcept;
  void enter();
  void leave() noexcept;
  void run_alone(const std::function<void()> &change);
  std::ptrdiff_t running() const noexcept;

  std::array<Counter, 16> counters_;
  std::atomic<int> waiting_{0};  // changes that wait or run
  std::mutex changes_;           // held by the change that drains or runs
  std::mutex mutex_;             // guards the two conditions below
  std::condition_variable drained_;
  std::condition_variable opened_;
  std::atomic<std::thread::id> changer_{};
  std::vector<std::function<void()>> after_change_;  // touched by the changer alone
};

}  // namespace dsh::loader
