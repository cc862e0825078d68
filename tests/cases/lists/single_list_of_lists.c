// property: memsafety
// truth: holds
// expect: proved
// Each box owns a list of exactly one cell; it is freed without a look at the link.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
  struct cell *next;
  int value;
};

struct box {
  struct box *next;
  struct cell *cells;
};

static struct cell *longest(struct box *all) {
  struct cell *last = NULL;
  for (struct box *box = all; box; box = box->next)
    for (struct cell *cell = box->cells; cell; cell = cell->next)
      last = cell;
  return last;
}

int main(void) {
  struct box *all = NULL;
  while (__VERIFIER_nondet_int()) {
    struct box *box = malloc(sizeof *box);
    box->cells = malloc(sizeof *box->cells);
    box->cells->next = NULL;
    box->cells->value = 7;
    box->next = all;
    all = box;
  }
  struct cell *last = longest(all);
  int value = last ? last->value : 0;
  while (all) {
    struct box *next = all->next;
    free(all->cells);
    free(all);
    all = next;
  }
  return value == 7;
}
