/* dsh/tools.h - service "tools": what a model can call.
 *
 * Revision 1 knows calls that finish before they return, and results of one text and one value. Not
 * in it, to come as appended members: cancellation (`cancelled` in dsh_call), tools that finish
 * later (`start` in dsh_tool), content of several blocks.
 *
 * Schemas are JSON Schema limited to type, properties, required, additionalProperties, items, enum,
 * const, oneOf and annotations ($schema, title, description, default, examples): what every model takes.
 */
#ifndef DSH_TOOLS_H
#define DSH_TOOLS_H

#include "abi.h"
#include "host.h"
#include "sessions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* May calls of one step run beside each other? 0 is the safe choice. */
enum {
  DSH_EXCLUSIVE = 0, /* never beside another call of the same step */
  DSH_PARALLEL = 1
};

/* One call. Lives until `execute` returns, with its strings and its session. */
typedef struct dsh_call {
  uint32_t struct_size;
  uint32_t reserved;          /* 0 */
  dsh_str arguments;          /* what the model wrote, raw where the host has it, else equivalent JSON. Not
                                 checked: it may be empty, or no JSON, or bytes that are no UTF-8 */
  dsh_str call_id;            /* the model's, for messages; may be empty, and need not be unique */
  const dsh_session *session; /* of the agent that owns the call, or NULL: nobody owns it */
} dsh_call;

typedef struct dsh_tool {
  uint32_t struct_size;
  int32_t mode; /* DSH_EXCLUSIVE or DSH_PARALLEL; another value counts as DSH_EXCLUSIVE */
  void *user;
  dsh_str name;        /* unique among the tools of a host, compared byte by byte; not empty */
  dsh_str description; /* what the model reads */
  dsh_str parameters;  /* JSON Schema of the arguments; its root has type "object". For the model: the
                          host need not check arguments against it, the tool does */
  dsh_str output;      /* JSON Schema of the value; empty: none declared */

  /* [session] Runs the call. On success `value` holds one JSON value (nothing written: no value; the
   * host checks that it is JSON) and `text` what the model sees. On failure the texts written are
   * dropped and `error` holds the message; the model sees "Error: " and the message. An event that
   * the call appended stays even then, so a sound tool appends last: see dsh_session.append.
   *
   * Need not be pure: the same call may answer differently. A host does not run it again for a log that
   * it reads.
   *
   * Rationale: a status and two sinks, so that a tool cannot answer twice, late or never. */
  int32_t(DSH_CALL *execute)(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                             const dsh_error *error);

  /* [session] Optional, pure: the text for a value of schema `output` to these arguments, for a host
   * whose policies replace the value that `execute` gave. For that value it writes the text that
   * `execute` wrote. Both strings are as unchecked as `arguments` of a call. */
  int32_t(DSH_CALL *render)(void *user, const dsh_str *arguments, const dsh_str *value, const dsh_out *text,
                            const dsh_error *error);

  /* [session] Optional, pure: how a UI shows a call, one JSON object; DSH_NONE: no card for these
   * arguments, which are as unchecked as those of a call. Called before `execute`, after it, or for a
   * call that somebody else ran. The host checks the JSON. */
  int32_t(DSH_CALL *present)(void *user, const dsh_str *arguments, const dsh_out *card,
                             const dsh_error *error);
} dsh_tool;

#define DSH_TOOLS "tools"

/* The table behind dsh_host.service(host, DSH_TOOLS). */
typedef struct dsh_tools {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  /* [setup] DSH_OK means accepted; a name that is taken is refused. */
  int32_t(DSH_CALL *add)(const dsh_host *host, const dsh_tool *tool, const dsh_error *error);
} dsh_tools;

#ifdef __cplusplus
}
#endif

#endif
