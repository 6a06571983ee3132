/* many_lives COUNT PLUGIN CONFIG [TOOL ARGUMENTS]... - the minimal host, over and over in one process.
 *
 * Each life opens the library, applies it, calls, disposes and closes. Fails when the library is still
 * mapped after one, or when memory has grown between the first tenth and the end. */
#define main one_life
#include "minimal_host.c"
#undef main

static long resident_pages(void) {
  long all = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file != NULL && fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
  if (file != NULL) fclose(file);
  return resident;
}

int main(int argc, char **argv) {
  const long count = argc > 3 ? strtol(argv[1], NULL, 10) : 0;
  long settled = 0;
  if (count < 10 || freopen("/dev/null", "w", stdout) == NULL) return 2;
  for (long i = 0; i < count; i++) {
    if (one_life(argc - 1, argv + 1) != 0) return refuse("many_lives", "a life failed");
    if (dlopen(argv[2], RTLD_NOW | RTLD_NOLOAD) != NULL)
      return refuse("many_lives", "the library is still mapped");
    if (i == count / 10) settled = resident_pages();
  }
  const long grown = resident_pages() - settled;
  fprintf(stderr, "%ld lives, %ld pages more than after the first tenth\n", count, grown);
  return grown > 64;
}
