// error: a trace is plain bytes
// A host copies traces byte by byte and drops them without a destructor.
#include <dsh/plugin.hpp>
#include <vector>
struct Rule {
  struct Trace {
#ifdef MISTAKE
    std::string text;
#else
    int turns;
#endif
  };
  std::string_view owner = "@example/rule";
  std::vector<dsh_str> types;
  void check(const Trace &, const dsh::Event &) const {}
#ifdef MISTAKE
  void committed(Trace &, const dsh::Event &) const noexcept {}
#else
  void committed(Trace &, const dsh::Event &) const noexcept {}
#endif
};
dsh_invariant describe(const Rule &rule);
dsh_invariant describe(const Rule &rule) { return dsh::invariant(rule); }
