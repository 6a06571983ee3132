/* dsh/projections.h - service "sessionProjections": values folded from a session's events.
 *
 * A unit is a fold: a start, a function from state and event to the next state, and a view of the
 * state for readers. A state is a JSON text that the host keeps (it goes into checkpoints); an empty
 * one stands for a value that is undefined. Hosts fold when they please: event by event, late, again,
 * or not at all until somebody reads. So all functions of a unit are pure: the same input gives the
 * same bytes, no handle of a session is used, and a plugin may not count on being called.
 */
#ifndef DSH_PROJECTIONS_H
#define DSH_PROJECTIONS_H

#include "abi.h"
#include "host.h"
#include "sessions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of a unit. A host ignores bits it does not know. */
enum {
  /* A law: after an event of the unit's `types` whose `apply` succeeds (DSH_OK or DSH_NONE) the
   * state depends on that event alone, not on the state before it; an event of another type changes
   * nothing. An event where `apply` fails changes nothing either, and a search passes over it.
   *
   * Rationale: a host then finds the state of a log by reading it BACKWARDS to the last such event,
   * however long the log is. A unit that breaks the law shows different values to different hosts. */
  DSH_DECISIVE = 1
};

typedef struct dsh_unit {
  uint32_t struct_size;
  uint32_t flags; /* DSH_DECISIVE, or 0 */
  void *user;
  dsh_str key;            /* under which readers find the value: "todos"; not empty */
  uint32_t state_version; /* of the state's format, in checkpoints */
  uint32_t reserved;      /* 0 */
  const dsh_str *types;   /* only events of these types come to `apply`; */
  size_t type_count;      /* 0 = all; a host accepts 65536 or less */
  dsh_str init;           /* the state before the first event: JSON, or empty */

  /* [session] The fold. DSH_OK: `next` holds the whole next state (nothing written: undefined), and
   * readers are told, even if it equals the old one (hosts never compare). DSH_NONE: the state stays,
   * nobody is told, what was written is dropped. A failure is logged and changes nothing. `state` is
   * `init`, or what this unit wrote, or what its `restore` let in. */
  int32_t(DSH_CALL *apply)(void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                           const dsh_error *error);

  /* [session] Optional: the value for readers, a JSON text; nothing written: undefined. Without it
   * the unit is for the host alone. A state with no sound view (a malformed event was folded) fails here:
   * reads of the key fail with the text until the next event that sets the state. */
  int32_t(DSH_CALL *view)(void *user, const dsh_str *state, const dsh_out *view, const dsh_error *error);

  /* [session] Optional: admits a state from a checkpoint of the same state_version, writing the state
   * to go on with. A checkpoint may come from anywhere, so `stored` is JSON and nothing more can be
   * relied on. NULL: the state is kept as it is if `view` succeeds on it, or there is no view. */
  int32_t(DSH_CALL *restore)(void *user, const dsh_str *stored, const dsh_out *state, const dsh_error *error);
} dsh_unit;

#define DSH_PROJECTIONS "sessionProjections"

/* The table behind dsh_host.service(host, DSH_PROJECTIONS). */
typedef struct dsh_projections {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  /* [setup] DSH_OK means accepted. A key that is taken with the same state_version is shared: the
   * first definition serves until its owner goes, then the next one's; another version is refused
   * naming both. */
  int32_t(DSH_CALL *add)(const dsh_host *host, const dsh_unit *unit, const dsh_error *error);
} dsh_projections;

#ifdef __cplusplus
}
#endif

#endif
