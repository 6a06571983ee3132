#include <ctime>
#include <set>
#include <string>

#include "check/exported_symbols.hpp"
#include "check/tests.hpp"
#include "check/verdict.hpp"
#include "text/error.hpp"
#include "text/listed.hpp"

namespace dsh::loader::check {
namespace {

void opens(Subject &subject) { subject.library(); }

/// Processor time of this process: other load on the machine is not the plugin's.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

void opens_quickly(Subject &subject) {
  constexpr double most = 0.1;
  const double before = processor_seconds();
  subject.library();
  const double taken = processor_seconds() - before;
  if (taken > most)
    warn("opening took " + std::to_string(taken) +
         " s of processor time; a host opens every plugin at start-up");
}

void exports(Subject &subject) {
  static const std::set<std::string> contract = {"name", "inject", "apply", "abi_version", "config_schema"};
  std::vector<std::string> more;
  for (const ExportedSymbol &symbol : exported_symbols(subject.path()))
    if (!contract.contains(symbol.name) && more.size() < 12) more.push_back(excerpt(symbol.name));
  require(more.empty(),
          "it exports more than the contract: " + listed(more) + "; link it with a version script");
}

void unmaps(Subject &subject) {
  subject.library();
  require(subject.unmap(), "it stays mapped after it was closed: unique symbols, or linked with nodelete");
  subject.configs();
  require(subject.unmap(), "it stays mapped after an instance was applied and disposed");
}

void symbols_stay(Subject &subject) {
  const std::string name = subject.library().name();
  const auto inject = subject.library().inject();
  const auto schema = subject.library().config_schema();
  {
    const auto rig = subject.applied();
    Generator random(1);
    use(subject, *rig, random);
  }
  // Read again from the mapped library: another handle on the same mapping.
  PluginLibraries again;
  const auto library = again.open(LibraryFile::open(subject.path()));
  require(library->name() == name, "`name` changed while it was in use");
  require(library->inject() == inject, "`inject` changed while it was in use");
  require(library->config_schema() == schema, "`config_schema` changed while it was in use");
}

}  // namespace

std::vector<Test> library_tests() {
  return {
      {"library.opens", "the library opens, and its symbols are those of the contract", &opens},
      {"library.quick", "opening it costs little time", &opens_quickly},
      {"library.exports", "it exports the contract and nothing else", &exports},
      {"library.unmaps", "closing it takes its code out of the process, also after use", &unmaps},
      {"library.symbols_stay", "its data symbols do not change in use", &symbols_stay},
  };
}

}  // namespace dsh::loader::check
