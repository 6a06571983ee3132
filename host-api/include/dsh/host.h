/* dsh/host.h - what a plugin is given: the context it registers with.
 *
 * One dsh_host belongs to one instance of a plugin, that is to one entry of a composition. It and
 * the tables it hands out live from `apply` until the last dispose function of the instance has
 * returned. Every registration made with it belongs to it: unloading the instance, and an `apply`
 * that fails half-way, undo its registrations newest first, then call its dispose functions newest
 * first, then may unmap the library. Undoing waits for calls that are running; asked for from
 * inside one, it is put off until that call has returned. A plugin undoes nothing itself.
 *
 * This root is frozen: identity, services, disposal, log. Everything else is a service.
 */
#ifndef DSH_HOST_H
#define DSH_HOST_H

#include "abi.h"

typedef struct dsh_host dsh_host;

struct dsh_host {
  uint32_t struct_size;
  uint32_t revision; /* the host's DSH_ABI_VERSION */
  dsh_str name;      /* of the host, for messages ("loader-sample") */
  dsh_str version;   /* of the host, for messages ("0.1.0") */
  void *impl;        /* the host's own; hands off */

  /* [any] The table of service `id`, or NULL when this host never has it. Ids are exact, and carry
   * their revision: "tools" is the first, a later one would be "tools/2".
   *
   * The table of a service that this host knows is there even while the service is not: an `add`
   * then waits, takes effect when the service comes, ends when it goes and returns with it; the
   * plugin runs no code for that. A service without which the plugin makes no sense is named in
   * `inject`: then `apply` runs only while it is there.
   *
   * Rationale: one way to register, wherever a service comes from and whenever, so that a plugin
   * cannot get the coming and going wrong. */
  const void *(DSH_CALL *service)(const dsh_host *host, const char *id);

  /* [setup] Has fn(user) called after the registrations of this instance were undone. DSH_OK, or
   * DSH_NO_MEMORY: then fn will not be called, and the plugin releases what it holds itself. */
  int32_t(DSH_CALL *on_dispose)(const dsh_host *host, void(DSH_CALL *fn)(void *user), void *user);

  /* [any] A line for the host's log, without line end; the host names the plugin, escapes control
   * characters, and may drop it. Never fails. */
  void(DSH_CALL *log)(const dsh_host *host, int32_t level, const char *text, size_t size);
};

#endif
