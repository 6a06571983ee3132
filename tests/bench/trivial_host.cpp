// A process that maps a library, calls it, and says so: nothing can start a plugin with less.
#include <dlfcn.h>
#include <unistd.h>

int main() {
  void *library = dlopen(DSH_TRIVIAL, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return 1;
  const auto answer = reinterpret_cast<int (*)()>(dlsym(library, "answer"));
  if (answer == nullptr || answer() != 42) return 1;
  return write(1, "registered\n", 11) == 11 ? 0 : 1;
}
