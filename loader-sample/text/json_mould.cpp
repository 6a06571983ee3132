#include "text/json_mould.hpp"

#include <algorithm>

#include "text/json_scan.hpp"

namespace dsh::loader {
namespace {

/// Longer ones have more in them that differs from value to value.
constexpr std::size_t longest_before = 256;
constexpr std::size_t longest_behind = 64;

struct LastString : json_scan::NoHandler {
  const char *latest = nullptr;  ///< where it may begin
  std::string_view raw;          ///< no pointer: there is none

  void string(std::string_view found, bool /*escaped*/) noexcept {
    if (found.data() <= latest) raw = found;
  }
};

}  // namespace

bool JsonMould::fits(std::string_view text, std::size_t &size) const {
  if (before_.empty() || !text.starts_with(before_)) return false;
  const char *const end = text.data() + text.size();
  const json_scan::StringEnd string = json_scan::read_string(text.data(), text.data() + before_.size(), end);
  if (string.fault != nullptr) return false;
  const auto closed = static_cast<std::size_t>(string.at - text.data());
  size = closed + behind_.size();
  return text.substr(closed).starts_with(behind_);
}

JsonCheck JsonMould::check_first(std::string_view text, std::size_t &size) {
  if (fits(text, size)) return {};
  LastString last;
  last.latest = text.data() + std::min(text.size(), longest_before);
  const JsonCheck check = json_scan::Scanner(text, last).run_first(size);
  before_.clear();
  if (!check || last.raw.data() == nullptr) return check;
  const auto opened = static_cast<std::size_t>(last.raw.data() - text.data());
  const std::size_t closed = opened + last.raw.size();
  if (size - closed > longest_behind) return check;
  before_ = text.substr(0, opened);
  behind_ = text.substr(closed, size - closed);
  return check;
}

}  // namespace dsh::loader
