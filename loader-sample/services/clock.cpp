#include "services/clock.hpp"

#include <chrono>

namespace dsh::loader {

std::int64_t now_ms() noexcept {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace dsh::loader
