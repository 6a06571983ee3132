// error: has no member named .execute|no member named .execute
// Without it a tool is refused at run time; here it is refused before.
#include <dsh/plugin.hpp>
struct Tool {
  std::string_view name = "t", description, parameters, output;
  int32_t mode = DSH_EXCLUSIVE;
#ifndef MISTAKE
  void execute(const dsh::Call &, dsh::Out, dsh::Out) const {}
#endif
};
dsh_tool describe(const Tool &tool);
dsh_tool describe(const Tool &tool) { return dsh::tool(tool); }
