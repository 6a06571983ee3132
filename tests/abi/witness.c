/* A library that names every type of the contract in a function of its own.
 *
 * The tables are reached through a `const void *` at run time, so that a tool which compares two
 * libraries sees nothing of them. Here each is the parameter of an exported function: abidiff then
 * compares them, member by member, signature by signature. */
#include <dsh/dsh.h>
#include <dsh/plugin.h>

#define WITNESS(type)                              \
  DSH_EXPORT void witness_##type(const type *one); \
  void witness_##type(const type *one) { (void)one; }

WITNESS(dsh_str)
WITNESS(dsh_out)
WITNESS(dsh_error)
WITNESS(dsh_event)
WITNESS(dsh_session)
WITNESS(dsh_observer)
WITNESS(dsh_host)
WITNESS(dsh_call)
WITNESS(dsh_tool)
WITNESS(dsh_invariant)
WITNESS(dsh_unit)
WITNESS(dsh_tools)
WITNESS(dsh_sessions)
WITNESS(dsh_invariants)
WITNESS(dsh_projections)

const char *const name = "witness";
const char *const inject[] = {DSH_TOOLS, NULL};
const uint32_t abi_version = DSH_ABI_VERSION;
const char *const config_schema = "{}";

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  return DSH_ERROR;
}
