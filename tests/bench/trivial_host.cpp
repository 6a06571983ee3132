// A C++ program that maps a library, calls it, and says so: no C++ host can start a plugin with less. The
// C++ library is in use, for mapping it is a part of what any of them pays.
#include <dlfcn.h>

#include <iostream>
#include <stdexcept>
#include <string>

int main() try {
  void *const library = dlopen(DSH_TRIVIAL, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto answer = reinterpret_cast<int (*)()>(dlsym(library, "answer"));
  if (answer == nullptr || answer() != 42) throw std::runtime_error("no answer");
  std::cout << "registered" << std::endl;
  return 0;
} catch (const std::exception &error) {
  std::cerr << error.what() << std::endl;
  return 1;
}
