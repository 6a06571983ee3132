/* dsh/host.h - what a plugin is given: the context it registers with.
 *
 * One dsh_host belongs to one instance of a plugin, that is to one entry of a composition. It, its
 * strings and the tables it hands out live from `apply` until the last dispose function of the
 * instance has returned. Every registration made with it belongs to it: unloading the instance, and an
 * `apply` that fails half-way, undo its registrations newest first, then call its dispose functions newest
 * first, then may unmap the library. Undoing waits for calls that are running; asked for from
 * inside one, it is put off until that call has returned. So no function of a registration runs
 * while or after the dispose functions do. A plugin undoes nothing itself.
 *
 * This root is frozen: identity, services, disposal, log. Everything else is a service. A plugin
 * whose host is shorter than this fails its `apply` and says both sizes.
 */
#ifndef DSH_HOST_H
#define DSH_HOST_H

#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dsh_host dsh_host;

struct dsh_host {
  uint32_t struct_size;
  uint32_t revision; /* the host's DSH_ABI_VERSION; never lower than the plugin's `abi_version` */
  dsh_str name;      /* of the host, for messages ("loader-sample") */
  dsh_str version;   /* of the host, for messages ("0.1.0") */
  void *impl;        /* the host's own; hands off */

  /* [any], but not in a dispose function. The table of service `id` (NUL-terminated), or NULL when this
   * host never has it. What the void pointer leads to is told by the id alone: see the header of the
   * service. Ids are exact, and carry their revision: "tools" is the first, a later one would be
   * "tools/2". The answer for an id is the same as long as the dsh_host lives.
   *
   * A table's `add` is called inside `apply` alone, with the dsh_host of that `apply`; elsewhere it
   * fails. It fails for a descriptor that lacks something required. Functions of the descriptor may
   * be called before `add` returns, so what `user` points at is ready first. What the descriptor
   * leads to, arrays and strings included, is copied: it may be gone once `add` has returned.
   *
   * The table of a service that this host knows is there even while the service is not: an `add`
   * then waits, takes effect when the service comes, ends when it goes and returns with it; the
   * plugin runs no code for that. A service without which the plugin makes no sense is named in
   * `inject`: then `apply` runs only while it is there.
   *
   * Rationale: one way to register, wherever a service comes from and whenever, so that a plugin
   * cannot get the coming and going wrong. */
  const void *(DSH_CALL *service)(const dsh_host *host, const char *id);

  /* [setup] Inside `apply` alone. Has fn(user) called once, after the registrations of this instance
   * were undone, also when `apply` fails later. DSH_OK, or a failure: then fn is never called, and the
   * plugin fails its `apply`. To release what registrations point at, call it before the first `add`:
   * freed memory can then never be reached by a registration. fn may call `log`, and no other function
   * of the host. */
  int32_t(DSH_CALL *on_dispose)(const dsh_host *host, void(DSH_CALL *fn)(void *user), void *user);

  /* [any] A line for the host's log, without line end, WTF-8, which may be NULL where `size` is 0; the host
   * names the plugin, escapes control characters, and may drop it. Never fails. */
  void(DSH_CALL *log)(const dsh_host *host, int32_t level, const char *text, size_t size);
};

/* The code with which a plugin's `apply` tells that its config is to blame. */
#define DSH_INVALID_CONFIG "INVALID_CONFIG"

/* The type of a plugin's `apply`, for hosts. What it does stands in dsh/plugin.h. */
typedef int32_t(DSH_CALL *dsh_apply_fn)(const dsh_host *host, const char *config, size_t size,
                                        const dsh_error *error);

#ifdef __cplusplus
}
#endif

#endif
