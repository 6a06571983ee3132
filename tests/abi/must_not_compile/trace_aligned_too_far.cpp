// error: aligned
// A host aligns traces for max_align_t.
#include <dsh/plugin.hpp>
#include <vector>
struct Rule {
  struct Trace {
#ifdef MISTAKE
    alignas(64) int turns;
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
