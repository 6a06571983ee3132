// error: expected|unable to find string literal operator
// An array may be longer than its text: DSH_STR takes literals alone.
#include <dsh/dsh.h>
#ifdef MISTAKE
constexpr char text[16] = "todos";
const dsh_str key = DSH_STR(text);
#else
const dsh_str key = DSH_STR("todos");
#endif
