// property: termination
// truth: holds
// expect: proved
// Cells are pushed on both levels or on the lower one only; the walk goes along
// the upper level and then along the lower one.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
  struct cell *low, *up;
};

int main(void) {
  struct cell *list = malloc(sizeof *list);
  list->low = list->up = NULL;
  for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
    struct cell *c = malloc(sizeof *c);
    if (__VERIFIER_nondet_int()) {
      c->up = list->up;
      list->up = c;
      c->low = list->low;
      list->low = c;
    } else {
      c->up = NULL;
      c->low = list->low;
      list->low = c;
    }
  }
  struct cell *here = list;
  while (here->up && __VERIFIER_nondet_int())
    here = here->up;
  while (here)
    here = here->low;
  return 0;
}
