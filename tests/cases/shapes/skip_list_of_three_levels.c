// property: termination
// truth: holds
// expect: proved
// Cells between a first and a last one lie on one, two or three levels; the
// search goes down a level where the upper one would lead too far.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
  struct cell *low, *middle, *high;
};

int main(void) {
  struct cell *last = malloc(sizeof *last);
  last->low = last->middle = last->high = NULL;
  struct cell *first = malloc(sizeof *first);
  first->low = first->middle = first->high = last;
  for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
    struct cell *c = malloc(sizeof *c);
    c->low = first->low;
    first->low = c;
    if (__VERIFIER_nondet_int()) {
      c->middle = first->middle;
      first->middle = c;
      if (__VERIFIER_nondet_int()) {
        c->high = first->high;
        first->high = c;
      } else {
        c->high = NULL;
      }
    } else {
      c->middle = NULL;
      c->high = NULL;
    }
  }
  struct cell *here = first;
  while (here->high != last)
    here = here->high;
  while (here->middle != last)
    here = here->middle;
  while (here != last)
    here = here->low;
  return 0;
}
