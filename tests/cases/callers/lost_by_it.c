// property: memsafety
// truth: fails
// expect: refuted
// options: --entry fill
// The block that it makes itself is lost at its end.
#include <stdlib.h>

void fill(int *at) {
  int *own = malloc(40);
  if (own) own[0] = 1;
  *at = 2;
}
