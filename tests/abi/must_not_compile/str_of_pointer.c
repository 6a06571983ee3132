/* error: expected */
#include <dsh/dsh.h>
/* sizeof of a pointer would be a wrong length: DSH_STR takes literals alone. */
#ifdef MISTAKE
static const char *const text = "todos";
const dsh_str key = DSH_STR(text);
#else
const dsh_str key = DSH_STR("todos");
#endif
