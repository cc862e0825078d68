// property: termination
// truth: holds
// expect: proved
// Cells lie between a first and a last one, on both levels or on the lower one
// only; the walk goes along the upper level and then along the lower one.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
  struct cell *low, *up;
};

int main(void) {
  struct cell *last = malloc(sizeof *last);
  last->low = last->up = NULL;
  struct cell *first = malloc(sizeof *first);
  first->low = first->up = last;
  for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
    struct cell *here = first;
    while (here->up != last && __VERIFIER_nondet_int())
      here = here->up;
    struct cell *c = malloc(sizeof *c);
    c->low = here->low;
    here->low = c;
    if (__VERIFIER_nondet_int()) {
      c->up = here->up;
      here->up = c;
    } else {
      c->up = NULL;
    }
  }
  struct cell *here = first;
  while (here->up != last && __VERIFIER_nondet_int())
    here = here->up;
  while (here != last)
    here = here->low;
  return 0;
}
