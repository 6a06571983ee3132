// Lets an allocation of this thread fail, the one asked for: the test program's operator new, which the
// plugin's library uses as well.
#pragma once

namespace dsh::todo::test {

/// Lets the allocation after the next `passing` ones fail, once, while it lives.
class FailingMemory {
 public:
  explicit FailingMemory(int passing) noexcept;
  FailingMemory(const FailingMemory &) = delete;
  FailingMemory &operator=(const FailingMemory &) = delete;
  ~FailingMemory();

  /// Has the failure been met?
  bool met() const noexcept;
};

/// The number of allocations of this thread since it started.
long allocations() noexcept;

}  // namespace dsh::todo::test
