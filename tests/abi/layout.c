/* The asserts of layout.h as C11, and what only running shows. */
#include "layout.h"

#include <stdio.h>
#include <string.h>

static int failed;

static void expect(int condition, const char *what) {
  if (!condition) {
    failed = 1;
    fprintf(stderr, "not so: %s\n", what);
  }
}

int main(void) {
  expect(layout_macros(), "DSH_STR, DSH_REACHES and DSH_HAS agree with the structs");
  expect(strcmp(DSH_TOOLS, "tools") == 0, "the id of tools");
  expect(strcmp(DSH_SESSIONS, "sessions") == 0, "the id of sessions");
  expect(strcmp(DSH_INVARIANTS, "invariants") == 0, "the id of invariants");
  expect(strcmp(DSH_PROJECTIONS, "sessionProjections") == 0, "the id of projections");
  expect(strcmp(DSH_INVALID_CONFIG, "INVALID_CONFIG") == 0, "the code of a config's failure");

  /* A struct of an older, shorter revision: memory that ends before the member. */
  unsigned char memory[sizeof(dsh_tool)];
  memset(memory, 0xff, sizeof memory);
  dsh_tool tool;
  for (uint32_t size = 4; size <= sizeof tool; size++) {
    memcpy(&tool, memory, sizeof tool);
    tool.struct_size = size;
    expect(DSH_HAS(&tool, execute) == (size >= offsetof(dsh_tool, execute) + sizeof(void *)),
           "DSH_HAS, execute");
    expect(DSH_HAS(&tool, present) == (size >= sizeof tool), "DSH_HAS, the last member");
    expect(DSH_REACHES(&tool, mode) == (size >= 8), "DSH_REACHES, the first member");
  }
  return failed;
}
