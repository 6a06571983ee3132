#include "failing_memory.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

thread_local int countdown = -1;  // < 0: none is to fail
thread_local long count = 0;

void *allocate(std::size_t size) {
  ++count;
  if (countdown >= 0 && countdown-- == 0) return nullptr;
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

namespace dsh::todo::test {

FailingMemory::FailingMemory(int passing) noexcept { countdown = passing; }
FailingMemory::~FailingMemory() { countdown = -1; }
bool FailingMemory::met() const noexcept { return countdown < 0; }
long allocations() noexcept { return count; }

}  // namespace dsh::todo::test
