// What is counted, not timed: heap allocations here, instructions by running this under callgrind, which
// collects inside dsh_counted_calls alone.
//
//   dsh-count call ITEMS CONTENT CALLS    {"allocations":…} for one call through the whole host
//   dsh-count machine                     what the counts depend on:
//   {"compiler","libc","architecture","strings","build"}
#include <gnu/libc-version.h>
#include <malloc.h>
#include <sys/utsname.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inputs.hpp"
#include "json_line.hpp"
#include "text/json_string_scan.hpp"
#include "todo_host.hpp"

// The real ones, under the names by which the C library lets itself be wrapped.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are the C library's
void *__libc_malloc(std::size_t size);
void *__libc_calloc(std::size_t count, std::size_t size);
void *__libc_realloc(void *old, std::size_t size);
void *__libc_memalign(std::size_t alignment, std::size_t size);
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
}

namespace {

// Outside any object, for it counts what the plugin allocates as well, from the first allocation on.
std::uint64_t allocations = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

extern "C" {
[[gnu::visibility("default")]] void *malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
[[gnu::visibility("default")]] void *calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
[[gnu::visibility("default")]] void *realloc(void *old, std::size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}
[[gnu::visibility("default")]] void *aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}

extern "C" [[gnu::noinline]] void dsh_counted_calls(dsh::bench::TodoHost &host, dsh::loader::Session &session,
                                                    const std::vector<std::string> &texts,
                                                    std::size_t calls) {
  for (std::size_t i = 0; i < calls; ++i) host.call(session, texts[i % texts.size()]);
}

namespace {

using namespace dsh;

std::string count_calls(std::size_t items, bench::Content content, std::size_t calls) {
  const auto texts = bench::argument_texts(items, content);
  bench::TodoHost host;
  const auto session = host.open_turn();
  for (const std::string &text : texts) host.call(*session, text);
  const std::uint64_t before = allocations;
  dsh_counted_calls(host, *session, texts, calls);
  const std::uint64_t after = allocations;
  return bench::json_line(
      {{"allocations", static_cast<double>(after - before) / static_cast<double>(calls)}});
}

/// How the strings of a log are read, which the processor decides when the program runs.
std::string_view string_reader() {
  constexpr std::array<std::string_view, 3> names = {"plain", "sse2", "avx2"};
  return names.at(loader::json_scan::string_readers().size() - 1);
}

std::string machine() {
  utsname system{};
  uname(&system);
  return bench::json_line({{"compiler", DSH_BENCH_COMPILER " " __VERSION__},
                           {"libc", std::string("glibc ") + gnu_get_libc_version()},
                           {"architecture", system.machine},
                           {"strings", string_reader()},
                           {"build", DSH_BENCH_BUILD}});
}

std::size_t number(const char *text) { return std::strtoull(text, nullptr, 10); }

}  // namespace

int main(int argc, char **argv) try {
  const std::string_view what = argc > 1 ? argv[1] : "";
  std::string answer;
  if (what == "call" && argc == 5)
    answer = count_calls(number(argv[2]), bench::content_of(argv[3]), number(argv[4]));
  else if (what == "machine" && argc == 2)
    answer = machine();
  if (answer.empty()) {
    std::fprintf(stderr, "usage: see the head of count.cpp\n");
    return 2;
  }
  std::printf("%s", answer.c_str());
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "dsh-count: %s\n", error.what());
  return 2;
}
