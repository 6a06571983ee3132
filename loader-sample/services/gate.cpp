#include "services/gate.hpp"

#include <utility>

namespace dsh::loader {
namespace {

// The calls on this thread's stack, innermost first.
thread_local Gate::Call *innermost = nullptr;

// One after the other: of so many threads that start together, no two share a counter.
std::size_t counter_of_this_thread(std::size_t counters) {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t number = threads.fetch_add(1);
  return number % counters;
}

// [setup] functions run one at a time per process, whatever hosts it holds. Recursive: a plugin that
// is applied may itself host others.
std::recursive_mutex &process_changes() {
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

Gate::Call::Call(Gate &gate)
    : gate_(gate), outer_(innermost), nested_(gate.changing() || gate.outermost_call() != nullptr) {
  if (!nested_) gate_.enter();
  innermost = this;
}

Gate::Call::~Call() {
  innermost = outer_;
  if (nested_) return;
  gate_.leave();
  for (const std::function<void()> &change : deferred_) {
    try {
      gate_.change(change);
    } catch (...) {  // NOLINT(bugprone-empty-catch): whoever deferred it reports its own failures
    }
  }
}

bool Gate::change(std::function<void()> change) {
  if (changing()) {
    after_change_.push_back(std::move(change));
    return false;
  }
  if (Call *const call = outermost_call()) {
    call->deferred_.push_back(std::move(change));
    return false;
  }
  run_alone(change);
  return true;
}

bool Gate::changing() const noexcept { return changer_.load() == std::this_thread::get_id(); }

bool Gate::inside() const noexcept { return changing() || outermost_call() != nullptr; }

Gate::Call *Gate::outermost_call() const noexcept {
  for (Call *call = innermost; call != nullptr; call = call->outer_)
    if (&call->gate_ == this && !call->nested_) return call;
  return nullptr;
}

// A call counts itself, then looks for changes; a change announces itself, then looks at the counts.
// Both orders are sequentially consistent, so that at least one sees the other.
void Gate::enter() {
  Counter &counter = counters_[counter_of_this_thread(counters_.size())];
  for (;;) {
    counter.running.fetch_add(1);
    if (waiting_.load() == 0) return;
    leave();
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return waiting_.load() == 0; });
  }
}

void Gate::leave() noexcept {
  counters_[counter_of_this_thread(counters_.size())].running.fetch_sub(1);
  if (waiting_.load() != 0) {
    const std::lock_guard lock(mutex_);
    drained_.notify_all();
  }
}

std::ptrdiff_t Gate::running() const noexcept {
  std::ptrdiff_t sum = 0;
  for (const Counter &counter : counters_) sum += counter.running.load();
  return sum;
}

void Gate::run_alone(const std::function<void()> &change) {
  struct Closed {
    Gate &gate;
    explicit Closed(Gate &closed) : gate(closed) { gate.waiting_.fetch_add(1); }
    ~Closed() {
      const std::lock_guard lock(gate.mutex_);
      gate.waiting_.fetch_sub(1);
      gate.opened_.notify_all();
    }
  };
  struct Changer {
    Gate &gate;
    explicit Changer(Gate &changed) : gate(changed) { gate.changer_.store(std::this_thread::get_id()); }
    ~Changer() {
      while (!gate.after_change_.empty()) {
        const auto next = std::exchange(gate.after_change_, {});
        for (const std::function<void()> &later : next) {
          try {
            later();
          } catch (...) {  // NOLINT(bugprone-empty-catch): as in ~Call
          }
        }
      }
      gate.changer_.store({});
    }
  };

  const Closed closed(*this);
  const std::lock_guard changes(changes_);
  {
    std::unique_lock lock(mutex_);
    drained_.wait(lock, [this] { return running() == 0; });
  }
  // Only now: a call that still ran may have been waiting for another host's change.
  const std::lock_guard process(process_changes());
  const Changer changer(*this);
  change();
}

}  // namespace dsh::loader
