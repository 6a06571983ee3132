// Who wants to be told what a service has to tell.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "text/attempt.hpp"
#include "text/diagnostics.hpp"
#include "text/error.hpp"

namespace dsh::loader {

/// Keeps a listener listening for as long as it lives; it may outlive the service. Where another thread is
/// inside the listener when it ends, that call still runs on.
class Subscription {
 public:
  Subscription() = default;

 private:
  template <typename... News>
  friend class Listeners;
  explicit Subscription(std::shared_ptr<const void> listener) : listener_(std::move(listener)) {}

  std::shared_ptr<const void> listener_;
};

/// The listeners of a service, in the order in which they came. Any thread; nothing is locked while one is
/// told, so it may come back to the service.
template <typename... News>
class Listeners {
 public:
  using Listener = std::function<void(const News &...)>;

  /// `diagnostics` outlives it.
  explicit Listeners(const Diagnostics &diagnostics) : diagnostics_(diagnostics) {}

  [[nodiscard]] Subscription add(Listener listener) {
    const auto added = std::make_shared<const Listener>(std::move(listener));
    const std::lock_guard lock(mutex_);
    listeners_.push_back(added);
    listened_.store(true);
    return Subscription(added);
  }

  /// May say false for a while after the last one has left.
  bool empty() const noexcept { return !listened_.load(); }

  /// Calls each listener; what one throws is logged as of `source`, and the next is told all the same.
  void tell(std::string_view source, const News &...news) noexcept {
    if (empty()) return;
    guarded(source, [&] {
      for (const auto &listening : present()) {
        const std::shared_ptr<const Listener> listener = listening.lock();
        if (listener != nullptr) guarded(source, [&] { (*listener)(news...); });
      }
    });
  }

 private:
  std::vector<std::weak_ptr<const Listener>> present() {
    const std::lock_guard lock(mutex_);
    std::erase_if(listeners_, [](const auto &listener) { return listener.expired(); });
    listened_.store(!listeners_.empty());
    return listeners_;
  }

  template <typename Work>
  void guarded(std::string_view source, const Work &work) const noexcept {
    try {
      work();
    } catch (const std::exception &error) {
      attempt([&] { diagnostics_.write(Level::error, source, text_of(error)); });
    } catch (...) {
      diagnostics_.write(Level::error, source, "a listener threw something that is no exception");
    }
  }

  const Diagnostics &diagnostics_;
  std::mutex mutex_;
  std::atomic<bool> listened_{false};  // is there a listener? Threads don't meet at the mutex for none.
  std::vector<std::weak_ptr<const Listener>> listeners_;
};

}  // namespace dsh::loader
