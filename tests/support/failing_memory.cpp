#include "support/failing_memory.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

using dsh::test::Shortage;

thread_local int countdown = -1;  // < 0: none is to fail
thread_local Shortage shortage = Shortage::once;
thread_local bool failed = false;
thread_local long count = 0;

void *allocate(std::size_t size) {
  ++count;
  if (countdown == 0) {
    failed = true;
    if (shortage == Shortage::once) countdown = -1;
    return nullptr;
  }
  if (countdown > 0) --countdown;
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void *operator new(std::size_t size) {
  if (void *memory = allocate(size)) return memory;
  throw std::bad_alloc();
}
void *operator new[](std::size_t size) { return operator new(size); }
void *operator new(std::size_t size, const std::nothrow_t &) noexcept { return allocate(size); }
void *operator new[](std::size_t size, const std::nothrow_t &) noexcept { return allocate(size); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void *memory, const std::nothrow_t &) noexcept { std::free(memory); }
void operator delete[](void *memory, const std::nothrow_t &) noexcept { std::free(memory); }

namespace dsh::test {

FailingMemory::FailingMemory(int passing, Shortage asked) noexcept {
  failed = false;
  shortage = asked;
  countdown = passing;
}
FailingMemory::~FailingMemory() { countdown = -1; }
bool FailingMemory::met() const noexcept { return failed; }
long allocations() noexcept { return count; }

}  // namespace dsh::test
