// property: termination
// truth: holds
// expect: proved
// A list of lists, built, walked on both levels, and freed.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
  struct item *next;
  int value;
};

struct group {
  struct group *next;
  struct item *items;
};

int main(void) {
  struct group *all = NULL;
  for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
    struct group *g = malloc(sizeof *g);
    g->items = NULL;
    for (int m = __VERIFIER_nondet_int(); m > 0; m--) {
      struct item *i = malloc(sizeof *i);
      i->value = m;
      i->next = g->items;
      g->items = i;
    }
    g->next = all;
    all = g;
  }
  for (struct group *g = all; g; g = g->next)
    for (struct item *i = g->items; i; i = i->next)
      if (i->value == 7)
        break;
  while (all) {
    struct group *g = all;
    all = g->next;
    while (g->items) {
      struct item *i = g->items;
      g->items = i->next;
      free(i);
    }
    free(g);
  }
  return 0;
}
