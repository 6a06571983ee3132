// Runs what must not need much of the stack.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstddef>
#include <functional>

namespace dsh::test {

/// What the smallest stacks that threads get in practice hold: macOS's. Code that isn't optimised, or is
/// instrumented, takes more.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
inline constexpr std::size_t small_stack = std::size_t{512} << 10U;
#else
inline constexpr std::size_t small_stack = std::size_t{6144} << 10U;
#endif

/// Runs `body` on a thread whose stack has `size` bytes.
inline void on_stack(std::size_t size, const std::function<void()> &body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, size), 0);
  pthread_t thread{};
  const auto run = [](void *function) -> void * {
    (*static_cast<const std::function<void()> *>(function))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()> *>(&body)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace dsh::test
