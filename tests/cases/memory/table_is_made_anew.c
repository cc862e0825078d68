// property: memsafety
// truth: fails
// expect: unknown(W010)
// options: --entry reserve
// The larger table takes the place of the one before, which is lost.
#include <stdlib.h>
static int *table;
static int room;
int reserve(int n) {
  if (n > room) {
    table = calloc(n, 4);
    room = n;
  }
  return room;
}
