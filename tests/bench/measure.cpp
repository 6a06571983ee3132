// What compare.py runs: each measure prints one line of JSON. Ours and its limit take turns within one
// run, so that what a busy machine does to one it does to the other. Times are CPU time of this process
// unless they are called wall.
//
//   dsh-measure call ITEMS CONTENT CALLS     a call through the whole host, and its limit
//   dsh-measure calls ITEMS CALLS            what a call costs in each tenth of so many in one session
//   dsh-measure threads N ITEMS CALLS        CALLS calls on each of N sessions at once, and on one alone
//   dsh-measure durable ITEMS CALLS DIR      a call of a session on disk; write + fdatasync of its bytes
//   dsh-measure memory CALLS DIR             what a session on disk keeps in memory for an event
//   dsh-measure lines FILE                   reading a file and counting its line ends
//   dsh-measure plan ROOT ID                 the plan of a log, by a host that is loaded already
//   dsh-measure inputs ITEMS CONTENT         the argument texts, one a line
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "inputs.hpp"
#include "measure_calls.hpp"
#include "measure_log.hpp"

namespace {

using namespace dsh;

std::string inputs(std::size_t items, std::string_view content) {
  std::string lines;
  for (const std::string &text : bench::argument_texts(items, bench::content_of(content)))
    lines += text + '\n';
  return lines;
}

std::size_t number(const char *text) { return std::strtoull(text, nullptr, 10); }

/// The answer, without words for it: none.
std::string run(std::string_view what, int count, char **words) {
  if (what == "call" && count == 3)
    return bench::measure_call(number(words[0]), bench::content_of(words[1]), number(words[2]));
  if (what == "calls" && count == 2) return bench::measure_calls(number(words[0]), number(words[1]));
  if (what == "threads" && count == 3)
    return bench::measure_threads(number(words[0]), number(words[1]), number(words[2]));
  if (what == "durable" && count == 3)
    return bench::measure_durable(number(words[0]), number(words[1]), words[2]);
  if (what == "memory" && count == 2) return bench::measure_memory(number(words[0]), words[1]);
  if (what == "lines" && count == 1) return bench::measure_lines(words[0]);
  if (what == "plan" && count == 2) return bench::measure_plan(words[0], words[1]);
  if (what == "inputs" && count == 2) return inputs(number(words[0]), words[1]);
  return {};
}

}  // namespace

int main(int argc, char **argv) try {
  const std::string answer = argc > 1 ? run(argv[1], argc - 2, argv + 2) : std::string();
  if (answer.empty()) {
    std::fprintf(stderr, "usage: see the head of measure.cpp\n");
    return 2;
  }
  std::printf("%s", answer.c_str());
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "dsh-measure: %s\n", error.what());
  return 2;
}
