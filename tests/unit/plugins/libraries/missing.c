__attribute__((visibility("default"))) int missing(void);
int missing(void) { return 1; }
