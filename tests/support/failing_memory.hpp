// Lets an allocation of this thread fail, the one asked for: the test program's operator new, which a
// plugin's library that it opens uses as well. For programs that list failing_memory.cpp.
#pragma once

namespace dsh::test {

enum class Shortage { once, lasting };

/// Lets the allocation after the next `passing` ones fail, once or with all that follow, while it lives.
class FailingMemory {
 public:
  explicit FailingMemory(int passing, Shortage shortage = Shortage::once) noexcept;
  FailingMemory(const FailingMemory &) = delete;
  FailingMemory &operator=(const FailingMemory &) = delete;
  ~FailingMemory();

  /// Has the failure been met?
  bool met() const noexcept;
};

/// The number of allocations of this thread since it started.
long allocations() noexcept;

}  // namespace dsh::test
