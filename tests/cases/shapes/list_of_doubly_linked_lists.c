// property: termination
// truth: holds
// expect: proved
// Each cell of the outer list owns a doubly linked list.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
  struct item *next, *prev;
};

struct group {
  struct item *items;
  struct group *next;
};

int main(void) {
  struct group *all = NULL;
  for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
    struct group *g = malloc(sizeof *g);
    g->items = NULL;
    for (int m = __VERIFIER_nondet_int(); m > 0; m--) {
      struct item *i = malloc(sizeof *i);
      i->prev = NULL;
      i->next = g->items;
      if (g->items)
        g->items->prev = i;
      g->items = i;
    }
    g->next = all;
    all = g;
  }
  for (struct group *g = all; g; g = g->next) {
    struct item *i = g->items;
    while (i && i->next)
      i = i->next;
    while (i)
      i = i->prev;
  }
  return 0;
}
