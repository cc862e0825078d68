// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry put
// What was copied from the other one is as much of the caller's as that is.
#include <string.h>

struct pair { int first, second; };

void put(struct pair *pair, struct pair *from) {
  int *other = 0;
  pair->first = 4;
  memcpy(pair, from, sizeof *pair);
  if (pair->first == 4) *other = 1;
}
