// property: memsafety
// truth: fails
// expect: unknown(W010)
// options: --entry begin
// So may the field of a structure.
#include <stdlib.h>

struct buffer {
    char *bytes;
    int used;
};

static struct buffer common;

void begin(void) { common.bytes = malloc(4); }
