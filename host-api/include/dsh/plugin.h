/* dsh/plugin.h - the symbols a plugin library exports, and no others.
 *
 * Include this in the one file that defines them: their names are common words, and the declarations
 * would shadow or clash with others elsewhere. In C++ the definitions get C linkage, and the
 * const data external linkage, from these declarations: a const object in an extern "C" block
 * would otherwise have internal linkage and vanish.
 *
 * A host takes a symbol only if it lies in the library's own object, refuses a library that exports
 * a symbol `default` beside the contract, and refuses a higher `abi_version` before it calls
 * anything. Constructors run inside dlopen, before all of these checks: have none that do anything.
 * Export nothing else (a version script on ELF, dllexport on Windows, an exported-symbols list on
 * macOS): hidden visibility alone leaves the symbols of the C++ library visible, and unique ones
 * among them keep the library mapped for ever. Link with -Bsymbolic on ELF, so that no symbol of the
 * process called `name` or `apply` takes the place of the plugin's own.
 */
#ifndef DSH_PLUGIN_H
#define DSH_PLUGIN_H

#include "abi.h"
#include "host.h"

#if defined(DSH_EXPORT)
#elif defined(_WIN32)
#define DSH_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define DSH_EXPORT __attribute__((visibility("default")))
#else
#define DSH_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The plugin's label, for messages: 1 to 128 printable ASCII characters without a space,
 * NUL-terminated. Like every data symbol it is constant: no code has to run to set it, and it does not
 * change while the library is loaded. */
extern DSH_EXPORT const char *const name;

/* The ids of the services without which `apply` is not called, each like a label, at most 255 of them
 * in any order, NULL-terminated. While one of them is absent the plugin waits (for ever, for an id that
 * the host never has); when one of them goes, the plugin is unloaded, and applied afresh when it
 * returns. Services that are merely useful do not belong here: see dsh_host.service. */
extern DSH_EXPORT const char *const inject[];

/* [setup] Registers what the plugin brings. `config` is the entry's `config` from the composition,
 * `size` bytes of JSON, the text `null` when absent; numbers that JSON cannot spell come as the texts ".inf",
 * "-.inf" and ".nan" (a quoted ".inf" looks the same). Numbers keep their YAML spelling's value, texts
 * stay texts: a quoted "true" is no boolean.
 *
 * DSH_OK, or a failure with a text: then everything registered so far is undone. A failure that
 * lies in `config` sets the code DSH_INVALID_CONFIG. May be called any number of times, also while an
 * earlier instance lives: two instances with different configs live side by side. A host may call
 * it only to try a config, with tables whose `add` accepts and never takes effect.
 *
 * Keep no mutable state outside what you hang on `user` pointers. */
DSH_EXPORT int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size,
                                  const dsh_error *error);

/* Optional. The lowest revision of the contract that the plugin can live with, 1 or higher; absent means 1.
 * A host whose own is lower refuses the plugin, naming both numbers. A plugin that asks before it uses
 * what is newer (DSH_HAS, dsh_host.service) stays at 1 for ever. */
extern DSH_EXPORT const uint32_t abi_version;

/* Optional. A JSON Schema of `config` in the words that dsh/tools.h lists, NUL-terminated UTF-8 of at
 * most a million bytes, for settings pages and early checks. `apply` checks its config all the same. */
extern DSH_EXPORT const char *const config_schema;

#ifdef __cplusplus
}
#endif

#endif
