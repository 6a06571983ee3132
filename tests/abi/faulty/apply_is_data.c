/* check: library.opens failed: `apply` is no function */
/* Calling it would be calling data. */
#define OWN_SYMBOLS
#include <dsh/host.h>
#define DSH_EXPORT __attribute__((visibility("default")))
#include "sound.h"
extern DSH_EXPORT const char *const name;
const char *const name = "faulty";
extern DSH_EXPORT const char *const inject[];
const char *const inject[] = {DSH_TOOLS, NULL};
extern DSH_EXPORT int32_t (*const apply)(const dsh_host *, void *, const dsh_error *);
int32_t (*const apply)(const dsh_host *, void *, const dsh_error *) = add_all;
