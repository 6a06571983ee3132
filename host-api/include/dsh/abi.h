/* dsh/abi.h - the words every other header of the contract is written in.
 *
 * Conventions, valid for the whole of revision 1:
 *
 *  1. C11, fixed-width types only. An enumeration is an int32_t holding one of the named
 *     constants; a boolean is a uint8_t holding 0 or 1. No struct is passed or returned by value.
 *     A struct has no padding, on 32-bit targets either.
 *  2. A struct that can grow starts with `uint32_t struct_size`, set by whoever fills it to the
 *     sizeof it was compiled with. A reader never touches a member that does not lie within it
 *     whole: see DSH_HAS. A larger one than the reader knows is fine: it ignores the tail. `reserved` members
 *     are written 0 and not read. dsh_str, dsh_out and dsh_error never grow, and a growable struct
 *     never stands by value in another or in an array.
 *     Pointers and functions are never NULL unless their comment says "Optional" or "or NULL"; but an
 *     array of 0 elements and a text of 0 bytes may be, and `user`, `ctx` and `impl` are their owner's
 *     own, NULL or not. Who receives a struct that is too short for its required members, or lacks
 *     one, refuses it.
 *     What a pointer to a struct leads to is aligned as its type asks. A dsh_host, a dsh_session and
 *     the sinks are known by where they lie: hand on the pointer you were given, not one to a copy.
 *  3. Strings that go in are views (dsh_str): valid until the call returns, never terminated by a
 *     NUL one may rely on, copied by whoever wants to keep them. Only a `const char *` without a
 *     size is NUL-terminated. Bytes that come out go through a sink (dsh_out). Neither side ever
 *     frees memory of the other.
 *  4. Every function that can fail returns a status; DSH_OK is 0. Anything else is a failure, unknown
 *     values included, but for DSH_NONE where the function's comment names it. Who fails because a
 *     function of the other side failed may return the status that it got, whatever it is.
 *     What a function wrote to its sinks or out-parameters counts only on success. A failure leaves
 *     everything as it was, but for what the function says it did.
 *  5. A JSON text is strict UTF-8; a lone surrogate stands in it as the escape \udxxx. Messages,
 *     ids and plain texts are WTF-8 (UTF-8 that may hold lone surrogates). They may hold a NUL. That
 *     is what a writer owes; a reader survives any bytes. Ids, names and event types are the same
 *     where their bytes are.
 *  6. No exception, panic, longjmp or thread cancellation crosses the boundary, either way.
 *  7. Threads. [setup] functions (apply, add, on_dispose, dispose functions) run one at a time within
 *     a host; two hosts in one process know nothing of each other. [session] functions (execute,
 *     render, present, check, committed, a unit's apply, view, restore, an observer's created,
 *     committed, disposed) run on any thread, at the same time for different sessions, never two at
 *     once for one session; a call that belongs to no session may run beside any other. They nest on
 *     one stack through `append` (execute -> append -> check -> committed -> unit apply -> view), and
 *     [setup] nests through `add` (add -> created, check over existing events, before `add` returns):
 *     keep no scratch memory that two nested calls would share. [setup] and [session] functions may
 *     run beside each other. [any] functions may be called at any time the object lives. Host
 *     functions are called only inside a call that the host made, and on its thread, unless their
 *     comment says otherwise (none in revision 1); threads that a plugin starts for itself call no
 *     other and have ended when its last dispose function returns. A host calls with half a megabyte
 *     of stack left, or more: what recurses over a foreign text bounds its depth.
 *  8. A plugin is a guest in its process: it does not print, exit or abort, and leaves alone what the
 *     process has once: locale, environment, working directory, umask, signal and terminate handlers,
 *     timers, resource limits, floating-point modes (no -ffast-math), others' file descriptors.
 *     What it opens or starts for itself has ended when its last dispose function returns.
 *  9. What was released never changes, meaning included. The contract grows by members appended
 *     to growable structs, by optional symbols, by new service ids, and by new values of a constant
 *     where its comment says what an older reader takes an unknown one for. Who wants to use what is
 *     newer asks for it at run time: DSH_HAS for a member, dsh_host.service for a service. A member
 *     appended to a struct that a plugin fills comes with one appended to a struct that it is given (the
 *     service's table, say), which tells whether this host reads the first.
 */
#ifndef DSH_ABI_H
#define DSH_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The revision of this contract that the headers describe. A plugin exports the lowest one it can live
 * with as `abi_version` (dsh/plugin.h); a host puts its own into dsh_host.revision. */
#define DSH_ABI_VERSION 1

/* Calling convention of every function of the contract, exported or in a table. */
#if defined(_WIN32)
#define DSH_CALL __cdecl
#else
#define DSH_CALL
#endif

/* Status of a call. */
enum {
  DSH_OK = 0,
  DSH_ERROR = 1,     /* failed; the text went to the error sink */
  DSH_NO_MEMORY = 2, /* failed for want of memory; a text is optional */
  DSH_NONE = 3,      /* nothing to tell: state unchanged, no card; read no further. A failure where the
                        function's comment does not name it */
  DSH_VIOLATED = 4   /* a dsh_invariant's check only: the event breaks the rule */
};

/* Severity of dsh_host.log. Another value counts as DSH_FAULT. */
enum { DSH_DEBUG = 0, DSH_INFO = 1, DSH_WARN = 2, DSH_FAULT = 3 };

/* A view of `size` bytes at `data`. Empty is {NULL or any pointer, 0}. Lives until the call it is
 * given to returns, unless a comment says otherwise. */
typedef struct dsh_str {
  const char *data;
  size_t size;
} dsh_str;

/* The initialiser of a dsh_str from a string literal, in static initialisers too. Not an expression:
 * `dsh_str key = DSH_STR("todos");`, `.key = DSH_STR("todos")`. */
#define DSH_STR(literal) \
  { "" literal, sizeof(literal) - 1 }

/* Where a callee writes its result, in as many pieces as it likes: the pieces are joined. Write
 * large and seldom. Valid during the call it is given to, on that thread.
 *
 * `write` returns DSH_OK, or the status with which the receiver refuses. A refusal is sticky: every
 * later write to the same sink returns it again, and the call fails whatever its callee returns, so
 * checking the last write, or none, is enough. Who appends an event writes first and checks: the event
 * stays. A size of 0 writes nothing; `data` may then be NULL. */
typedef struct dsh_out {
  void *ctx;
  int32_t(DSH_CALL *write)(void *ctx, const char *data, size_t size);
} dsh_out;

/* Where a callee says why it failed. Never NULL. Valid during the call it is given to, on that thread.
 *
 * `set` copies everything before it returns; the last call counts, as a whole; a text set before a
 * success is dropped; of a failure without one the host words its own. `text` is for the model or the
 * person reading the log, one sentence, WTF-8; it may be NULL where `size` is 0. `name` and `code` are
 * NUL-terminated ASCII of at most 255 bytes, or NULL: a class of error ("ToolArgsError") and a word a
 * program can compare ("INVALID_ARGS"). They go through a host untouched. Who calls several functions
 * in a row may give each the same dsh_error, its own caller's too. */
typedef struct dsh_error {
  void *ctx;
  void(DSH_CALL *set)(void *ctx, const char *text, size_t size, const char *name, const char *code);
} dsh_error;

/* True where the struct at `t`, not NULL, is long enough to hold member `m`. For data members. Evaluates
 * `t` more than once, and needs no typeof. In another language: the member's offset and its size add up
 * to struct_size or less. */
#ifdef __cplusplus
#define DSH_REACHES(t, m)                                                                                  \
  (static_cast<size_t>(reinterpret_cast<const char *>(&(t)->m + 1) - reinterpret_cast<const char *>(t)) <= \
   static_cast<size_t>((t)->struct_size))
#else
#define DSH_REACHES(t, m) \
  ((size_t)((const char *)(&(t)->m + 1) - (const char *)(t)) <= (size_t)(t)->struct_size)
#endif

/* True where the struct at `t` holds member `m` and it is not null. For functions and pointers. */
#define DSH_HAS(t, m) (DSH_REACHES(t, m) && !!(t)->m)

#ifdef __cplusplus
}
#endif

#endif
