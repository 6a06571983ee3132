/* The layout and the constants of revision 1, in bytes, for every data model: P is the size of a
 * pointer and of size_t. The structs have no padding anywhere, so that each offset is a count of
 * 32-bit words and pointers, the same under LP64, LLP64 and ILP32.
 *
 * These numbers are released: they grow by lines appended to a struct's block, and never change. */
#include <dsh/dsh.h>
#include <dsh/plugin.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define ASSERT(condition, text) static_assert(condition, text)
#define ALIGNOF(type) alignof(type)
#else
#define ASSERT(condition, text) _Static_assert(condition, text)
#define ALIGNOF(type) _Alignof(type)
#endif

#define P sizeof(void *)
#define SIZE(type, bytes)                           \
  ASSERT(sizeof(type) == (bytes), "sizeof " #type); \
  ASSERT(ALIGNOF(type) >= ALIGNOF(void *), "alignment of " #type)
#define AT(type, member, offset) ASSERT(offsetof(type, member) == (offset), #type "." #member)
#define WIDE(type, member, bytes) ASSERT(sizeof(((type *)0)->member) == (bytes), #type "." #member)
#define IS(constant, value) ASSERT((constant) == (value), #constant)

ASSERT(sizeof(size_t) == P, "size_t is as wide as a pointer");
ASSERT(sizeof(void (*)(void)) == P, "a function pointer is as wide as an object pointer");

IS(DSH_ABI_VERSION, 1);
IS(DSH_OK, 0);
IS(DSH_ERROR, 1);
IS(DSH_NO_MEMORY, 2);
IS(DSH_NONE, 3);
IS(DSH_VIOLATED, 4);
IS(DSH_DEBUG, 0);
IS(DSH_INFO, 1);
IS(DSH_WARN, 2);
IS(DSH_FAULT, 3);
IS(DSH_EXCLUSIVE, 0);
IS(DSH_PARALLEL, 1);
IS(DSH_DECISIVE, 1);

AT(dsh_str, data, 0);
AT(dsh_str, size, P);
SIZE(dsh_str, 2 * P);

AT(dsh_out, ctx, 0);
AT(dsh_out, write, P);
SIZE(dsh_out, 2 * P);

AT(dsh_error, ctx, 0);
AT(dsh_error, set, P);
SIZE(dsh_error, 2 * P);

AT(dsh_event, struct_size, 0);
AT(dsh_event, reserved, 4);
AT(dsh_event, seq, 8);
AT(dsh_event, time, 16);
AT(dsh_event, type, 24);
AT(dsh_event, data, 24 + 2 * P);
SIZE(dsh_event, 24 + 4 * P);

AT(dsh_session, struct_size, 0);
AT(dsh_session, reserved, 4);
AT(dsh_session, impl, 8);
AT(dsh_session, id, 8 + P);
AT(dsh_session, append, 8 + 3 * P);
AT(dsh_session, read, 8 + 4 * P);
SIZE(dsh_session, 8 + 5 * P);

AT(dsh_observer, struct_size, 0);
AT(dsh_observer, reserved, 4);
AT(dsh_observer, user, 8);
AT(dsh_observer, types, 8 + P);
AT(dsh_observer, type_count, 8 + 2 * P);
AT(dsh_observer, created, 8 + 3 * P);
AT(dsh_observer, committed, 8 + 4 * P);
AT(dsh_observer, disposed, 8 + 5 * P);
SIZE(dsh_observer, 8 + 6 * P);

AT(dsh_host, struct_size, 0);
AT(dsh_host, revision, 4);
AT(dsh_host, name, 8);
AT(dsh_host, version, 8 + 2 * P);
AT(dsh_host, impl, 8 + 4 * P);
AT(dsh_host, service, 8 + 5 * P);
AT(dsh_host, on_dispose, 8 + 6 * P);
AT(dsh_host, log, 8 + 7 * P);
SIZE(dsh_host, 8 + 8 * P);

AT(dsh_call, struct_size, 0);
AT(dsh_call, reserved, 4);
AT(dsh_call, arguments, 8);
AT(dsh_call, call_id, 8 + 2 * P);
AT(dsh_call, session, 8 + 4 * P);
SIZE(dsh_call, 8 + 5 * P);

AT(dsh_tool, struct_size, 0);
AT(dsh_tool, mode, 4);
AT(dsh_tool, user, 8);
AT(dsh_tool, name, 8 + P);
AT(dsh_tool, description, 8 + 3 * P);
AT(dsh_tool, parameters, 8 + 5 * P);
AT(dsh_tool, output, 8 + 7 * P);
AT(dsh_tool, execute, 8 + 9 * P);
AT(dsh_tool, render, 8 + 10 * P);
AT(dsh_tool, present, 8 + 11 * P);
SIZE(dsh_tool, 8 + 12 * P);

AT(dsh_invariant, struct_size, 0);
AT(dsh_invariant, trace_size, 4);
AT(dsh_invariant, user, 8);
AT(dsh_invariant, owner, 8 + P);
AT(dsh_invariant, types, 8 + 3 * P);
AT(dsh_invariant, type_count, 8 + 4 * P);
AT(dsh_invariant, check, 8 + 5 * P);
AT(dsh_invariant, committed, 8 + 6 * P);
SIZE(dsh_invariant, 8 + 7 * P);

AT(dsh_unit, struct_size, 0);
AT(dsh_unit, flags, 4);
AT(dsh_unit, user, 8);
AT(dsh_unit, key, 8 + P);
AT(dsh_unit, state_version, 8 + 3 * P);
AT(dsh_unit, reserved, 12 + 3 * P);
AT(dsh_unit, types, 16 + 3 * P);
AT(dsh_unit, type_count, 16 + 4 * P);
AT(dsh_unit, init, 16 + 5 * P);
AT(dsh_unit, apply, 16 + 7 * P);
AT(dsh_unit, view, 16 + 8 * P);
AT(dsh_unit, restore, 16 + 9 * P);
SIZE(dsh_unit, 16 + 10 * P);

#define TABLE(type)           \
  AT(type, struct_size, 0);   \
  AT(type, reserved, 4);      \
  AT(type, add, 8);           \
  SIZE(type, 8 + P);          \
  WIDE(type, struct_size, 4); \
  WIDE(type, reserved, 4)
TABLE(dsh_tools);
TABLE(dsh_sessions);
TABLE(dsh_invariants);
TABLE(dsh_projections);

/* The widths that no offset of a following member pins. */
WIDE(dsh_event, struct_size, 4);
WIDE(dsh_event, seq, 8);
WIDE(dsh_event, time, 8);
WIDE(dsh_host, struct_size, 4);
WIDE(dsh_host, revision, 4);
WIDE(dsh_tool, mode, 4);
WIDE(dsh_invariant, trace_size, 4);
WIDE(dsh_unit, flags, 4);
WIDE(dsh_unit, state_version, 4);
WIDE(dsh_unit, reserved, 4);
ASSERT(sizeof(abi_version) == 4, "abi_version");

/* The calling convention, which no type shows where it is the default. */
#define SPELT_AS_IS(text) #text
#define SPELT(macro) SPELT_AS_IS(macro)
#if defined(_WIN32)
ASSERT(sizeof(SPELT(DSH_CALL)) == sizeof(SPELT(__cdecl)), "DSH_CALL");
#else
ASSERT(sizeof(SPELT(DSH_CALL)) == sizeof(""), "DSH_CALL");
#endif

/* Both macros, in the places where they must work: static initialisers, constant expressions of an
 * array's size, an `if`. */
static const dsh_str layout_text = DSH_STR("todo/write");
static const dsh_tools layout_table = {sizeof(dsh_tools), 0, NULL};
ASSERT(sizeof(DSH_TOOLS) == 6, "the id of the service");

static inline int layout_macros(void) {
  return layout_text.size == 10 && DSH_REACHES(&layout_table, add) && !DSH_HAS(&layout_table, add);
}
