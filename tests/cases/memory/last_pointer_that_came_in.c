// property: memsafety
// truth: fails
// expect: unknown(W010)
// options: --entry clear
// The global may hold the last pointer to a block.
#include <stdlib.h>

static char *text;

void fill(void) { text = malloc(8); }

void clear(void) { text = 0; }
