// property: termination
// truth: holds
// expect: proved
// A ring that holds 0 to n - 1 in order, searched for one of them from anywhere.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
  struct cell *next;
  int number;
};

int main(void) {
  int n = __VERIFIER_nondet_int();
  int wanted = __VERIFIER_nondet_int();
  if (n < 1 || wanted < 0 || wanted >= n)
    return 0;
  struct cell *first = malloc(sizeof *first), *last = first;
  first->number = 0;
  for (int i = 1; i < n; i++) {
    last->next = malloc(sizeof *last);
    last = last->next;
    last->number = i;
  }
  last->next = first;
  struct cell *here = first;
  while (here->number != wanted)
    here = here->next;
  return 0;
}
