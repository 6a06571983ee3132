#include "view/local_time.hpp"

#include <array>
#include <ctime>

namespace dsh::loader {

std::string local_time(std::int64_t milliseconds) {
  const auto seconds = static_cast<std::time_t>(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0));
  std::tm parts{};
  std::array<char, 64> text{};
  if (localtime_r(&seconds, &parts) == nullptr) return std::to_string(milliseconds) + " ms";
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
  return {text.data(), size};
}

}  // namespace dsh::loader
