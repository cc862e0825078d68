// property: memsafety
// truth: holds
// expect: proved
// Each box holds a list whose cells point back at its first cell. All cells but the first are
// freed, then the one that is left, with the box: nothing is lost, since it is the only one.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
  struct cell *first;
  struct cell *next;
};

struct box {
  struct box *next;
  struct cell *cells;
};

static void add(struct box *box) {
  struct cell *cell = malloc(sizeof *cell);
  cell->next = NULL;
  if (box->cells == NULL) {
    cell->first = cell;
    box->cells = cell;
  } else {
    cell->first = box->cells;
    cell->next = box->cells->next;
    box->cells->next = cell;
  }
}

int main(void) {
  struct box *all = NULL;
  while (__VERIFIER_nondet_int()) {
    struct box *box = malloc(sizeof *box);
    box->cells = NULL;
    add(box);
    while (__VERIFIER_nondet_int())
      add(box);
    box->next = all;
    all = box;
  }
  for (struct box *box = all; box; box = box->next) {
    struct cell *cell = box->cells->next;
    box->cells->next = NULL;
    while (cell) {
      struct cell *next = cell->next;
      free(cell);
      cell = next;
    }
  }
  while (all) {
    struct box *next = all->next;
    free(all->cells);
    free(all);
    all = next;
  }
  return 0;
}
