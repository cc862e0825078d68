// property: memsafety
// truth: fails
// expect: refuted
// options: --entry drop
// Whatever comes in is freed, and then read.
#include <stdlib.h>

int drop(int *at) {
  *at = 3;
  free(at);
  return *at;
}
