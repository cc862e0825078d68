// property: memsafety
// truth: holds
// expect: unknown(W010)
// options: --entry fill
// The caller has the block; that it frees what lay there before is its own matter.
#include <stdlib.h>

void fill(int **at) {
  int *own = malloc(40);
  *at = own;
}
