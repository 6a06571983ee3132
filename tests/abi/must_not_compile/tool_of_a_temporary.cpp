// error: deleted function
// The host would call a tool that is gone.
#include <dsh/plugin.hpp>
struct Tool {
  std::string_view name = "t", description, parameters, output;
  int32_t mode = DSH_EXCLUSIVE;
  void execute(const dsh::Call &, dsh::Out, dsh::Out) const {}
};
dsh_tool describe(const Tool &kept);
dsh_tool describe(const Tool &kept) {
#ifdef MISTAKE
  return dsh::tool(Tool{});
#else
  return dsh::tool(kept);
#endif
}
