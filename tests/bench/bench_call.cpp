// A call through the whole host, beside the least that parsing and serialising its text costs.
#include <benchmark/benchmark.h>

#include "inputs.hpp"
#include "limit.hpp"
#include "todo_host.hpp"

namespace {

using dsh::bench::Content;

void call(benchmark::State &state) {
  const auto texts = dsh::bench::argument_texts(static_cast<std::size_t>(state.range(0)),
                                                static_cast<Content>(state.range(1)));
  dsh::bench::TodoHost host;
  std::size_t i = 0;
  std::shared_ptr<dsh::loader::Session> session;
  for ([[maybe_unused]] auto _ : state) {
    if (i % 4096 == 0) {  // a session in memory grows with every call: begin another now and then
      state.PauseTiming();
      if (session != nullptr) host.host().sessions().dispose(session->id());
      session = host.open_turn();
      state.ResumeTiming();
    }
    host.call(*session, texts[i++ % texts.size()]);
  }
}

void limit(benchmark::State &state) {
  const auto texts = dsh::bench::argument_texts(static_cast<std::size_t>(state.range(0)),
                                                static_cast<Content>(state.range(1)));
  dsh::bench::ParseAndSerialise work;
  std::size_t i = 0;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(work.run(texts[i++ % texts.size()]));
}

void sizes(benchmark::internal::Benchmark *benchmark) {
  benchmark->ArgNames({"items", "content"});
  for (const int content : {0, 1, 2, 3})
    for (const int items : {1, 10, 100, 1000}) benchmark->Args({items, content});
  for (const int items : {10000, 50000}) benchmark->Args({items, 0});
}

BENCHMARK(call)->Apply(sizes);
BENCHMARK(limit)->Apply(sizes);

}  // namespace
