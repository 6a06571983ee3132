// Waiting until something has come to rest. No test depends on how fast a busy machine gets there.
#pragma once

#include <chrono>
#include <thread>

namespace dsh::test {

/// Does figure() stay the same for half a second, within ten?
template <typename Figure>
bool comes_to_rest(Figure figure) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (std::chrono::steady_clock::now() < end) {
    const auto before = figure();
    std::this_thread::sleep_for(500ms);
    if (figure() == before) return true;
  }
  return false;
}

}  // namespace dsh::test
