/* dsh/invariants.h - service "invariants": rules that every event keeps before it enters a log.
 *
 * For each session the host keeps `trace_size` bytes for the rule, zeroed at the log's start and
 * aligned like memory from malloc (max_align_t), and moves them along the log: an event that is about
 * to be appended goes through `check`, which sees the trace of the events before it; once it is
 * committed, through `committed`, which moves the trace on. An event that someone vetoes moves
 * nothing.
 *
 * When the registration takes effect, every existing session is replayed from its start (check, then
 * committed, for each event); a session created later is replayed from its seed. A log that breaks
 * the rule fails the registration, or vetoes the creation. Each time the service comes back, the
 * replay starts from zeroed bytes again. A host may also drop a trace and replay the log at any time.
 *
 * A trace is plain bytes: the host may copy it, move it between calls and drop it without notice, so
 * it holds no pointers, to itself or to anything.
 *
 * Rationale: no open and close, so that no session can leak and an unload leaves nothing behind. A
 * rule judges an event by the trace and the event alone; one that needs more keeps a digest of it.
 */
#ifndef DSH_INVARIANTS_H
#define DSH_INVARIANTS_H

#include "abi.h"
#include "host.h"
#include "sessions.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dsh_invariant {
  uint32_t struct_size;
  uint32_t trace_size; /* bytes per session; a host accepts 4096 or less. 0: `trace` may be NULL */
  void *user;
  dsh_str owner;        /* whose rule it is: "@scope/package"; not empty, may own several. The host words
                           a violation as `invariant violated by "<owner>": <text>` */
  const dsh_str *types; /* only events of these types come to `check` and `committed`; */
  size_t type_count;    /* 0 = all; a host accepts 65536 or less */

  /* [session] DSH_OK: the event may be appended. DSH_VIOLATED: it breaks the rule, and the error
   * text says how. Any other failure is a breakdown of the rule itself, reported without the owner's
   * prefix. Both keep the event out. `trace` is read-only here, the same trace and event give the
   * same answer, and no handle of a session is used. */
  int32_t(DSH_CALL *check)(void *user, const void *trace, const dsh_event *event, const dsh_error *error);

  /* [session] Optional. The event that `check` let through is in the log: move the trace. Comes after
   * that event's `check` and before the next one's; cannot fail. */
  void(DSH_CALL *committed)(void *user, void *trace, const dsh_event *event);
} dsh_invariant;

#define DSH_INVARIANTS "invariants"

/* The table behind dsh_host.service(host, DSH_INVARIANTS). */
typedef struct dsh_invariants {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  /* [setup] DSH_OK means accepted. Where the replay happens later (the service was absent), a
   * failure is reported as the entry's. */
  int32_t(DSH_CALL *add)(const dsh_host *host, const dsh_invariant *invariant, const dsh_error *error);
} dsh_invariants;

#ifdef __cplusplus
}
#endif

#endif
