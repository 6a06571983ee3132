/* dsh/sessions.h - service "sessions": logs of events, and who watches them.
 *
 * A session is an append-only log of events, numbered from 0 without gaps. It is the only state
 * there is: everything else is computed from it.
 *
 * Not in revision 1, to come as appended members: events that enter the model's message history, with
 * what they were made from (`append` writes none).
 */
#ifndef DSH_SESSIONS_H
#define DSH_SESSIONS_H

#include "abi.h"
#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One event of a log, as handed to a plugin. Lives until the call returns, with its strings. */
typedef struct dsh_event {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  int64_t seq;       /* position in the log, from 0 */
  int64_t time;      /* milliseconds since 1970-01-01 UTC; may step back from one event to the next */
  dsh_str type;      /* "todo/write": 1 to 255 bytes of WTF-8 without a NUL, by custom subject/verb */
  dsh_str data;      /* JSON, checked by the host */
} dsh_event;

/* A handle to a session. Lives until `execute` returns where it comes in a dsh_call, else from an
 * observer's `created` to the end of its `disposed`. Use it only inside a call that the host made
 * for this session. Two handles of one session may be different pointers: compare `id`. */
typedef struct dsh_session dsh_session;

struct dsh_session {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  void *impl;        /* the host's own; hands off */
  dsh_str id;        /* lives as long as the handle; unique among the sessions of a host */

  /* [session] Appends one event; `data` is JSON (`size` bytes), checked by the host, which stores
   * it as it is, but for white space between its values. Legal inside `execute` alone, on any handle of
   * the session that owns the call: while an event is being published (check, committed, a unit's
   * functions, an observer's), in an observer's `created` and `disposed` and inside `each` of `read`, the
   * host refuses it. A host that keeps its logs may refuse a type that the format of its log does not know.
   * `seq` is a pointer or NULL; on success *seq is the event's position, and the event is as durable as the
   * host makes any. On failure nothing has been appended, and `error` (its text, name and code) says why;
   * an `execute` that fails because of it returns the status and adds nothing. An event that was appended
   * stays, even if `execute` fails afterwards: append last. `type` and `data` stay untouched until it
   * returns. */
  int32_t(DSH_CALL *append)(const dsh_session *session, const dsh_str *type, const char *data, size_t size,
                            int64_t *seq, const dsh_error *error);

  /* [session] Calls each(user, event) for every committed event from `from_seq` on, in order, until
   * it returns something else than DSH_OK, which is then returned: DSH_NONE to stop early. A negative
   * `from_seq` means 0; one beyond the end calls nothing. An event that is being checked is not in the
   * log yet; one that is being published is. `each` may read again. Where the log itself cannot be
   * read the failure has a text; to one of `each` nothing is added. */
  int32_t(DSH_CALL *read)(const dsh_session *session, int64_t from_seq,
                          int32_t(DSH_CALL *each)(void *user, const dsh_event *event), void *user,
                          const dsh_error *error);
};

/* Someone who watches sessions. Its functions cannot fail: the event is already committed. */
typedef struct dsh_observer {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  void *user;
  const dsh_str *types; /* `committed` is called for events of these types; */
  size_t type_count;    /* 0 = of every type; a host accepts 65536 or less */

  /* [session] Optional. For each session that exists when the registration takes effect, then for each
   * new one. */
  void(DSH_CALL *created)(void *user, const dsh_session *session);
  /* [session] Optional. After an event was committed, not for those that `created` found in the log. */
  void(DSH_CALL *committed)(void *user, const dsh_session *session, const dsh_event *event);
  /* [session] Optional. When the session goes, or the registration ends (the service going included):
   * once for each `created`. */
  void(DSH_CALL *disposed)(void *user, const dsh_session *session);
} dsh_observer;

#define DSH_SESSIONS "sessions"

/* The table behind dsh_host.service(host, DSH_SESSIONS). */
typedef struct dsh_sessions {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  /* [setup] DSH_OK means accepted. */
  int32_t(DSH_CALL *add)(const dsh_host *host, const dsh_observer *observer, const dsh_error *error);
} dsh_sessions;

#ifdef __cplusplus
}
#endif

#endif
