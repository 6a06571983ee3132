// error: 4096
// No host need keep more for a session.
#include <dsh/plugin.hpp>
#include <vector>
struct Rule {
  struct Trace {
#ifdef MISTAKE
    char bytes[5000];
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
