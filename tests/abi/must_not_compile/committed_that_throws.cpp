// error: cannot fail
// Nothing may be thrown once an event is in the log.
#include <dsh/plugin.hpp>
#include <vector>
struct Rule {
  struct Trace {
#ifdef MISTAKE
    int turns;
#else
    int turns;
#endif
  };
  std::string_view owner = "@example/rule";
  std::vector<dsh_str> types;
  void check(const Trace &, const dsh::Event &) const {}
#ifdef MISTAKE
  void committed(Trace &, const dsh::Event &) const {}
#else
  void committed(Trace &, const dsh::Event &) const noexcept {}
#endif
};
dsh_invariant describe(const Rule &rule);
dsh_invariant describe(const Rule &rule) { return dsh::invariant(rule); }
