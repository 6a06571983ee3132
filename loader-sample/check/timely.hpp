// A range that ends early where time is short.
#pragma once

#include <chrono>
#include <cstddef>

namespace dsh::loader::check {

/// The elements of an array, which outlives it, until `end` has come; the first in any case.
template <class Element>
class Timely {
 public:
  Timely(const Element *elements, std::size_t count, std::chrono::steady_clock::time_point end) noexcept
      : first_(elements), at_(elements), last_(elements + count), end_(end) {}

  struct End {};
  Timely begin() const noexcept { return *this; }
  End end() const noexcept { return {}; }

  const Element &operator*() const noexcept { return *at_; }
  Timely &operator++() noexcept {
    ++at_;
    return *this;
  }
  bool operator!=(End /*end*/) const noexcept {
    return at_ != last_ && (at_ == first_ || std::chrono::steady_clock::now() < end_);
  }

 private:
  const Element *first_, *at_, *last_;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace dsh::loader::check
