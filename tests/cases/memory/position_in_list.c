// property: memsafety
// truth: holds
// expect: proved
// Walks to a position that a loop before has found to be within the list, again and
// again while the list grows.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
};

static int at_most(int limit) {
  int n = 0;
  while (n < limit && __VERIFIER_nondet_int())
    n++;
  return n;
}

int main(void) {
  struct node *first = malloc(sizeof *first);
  first->next = NULL;
  const int rounds = at_most(6);
  for (int length = 1; length <= rounds; length++) {
    int position = at_most(length - 1);
    struct node *at = first;
    while (position-- > 0)
      at = at->next;
    struct node *new = malloc(sizeof *new);
    new->next = at->next;
    at->next = new;
  }
  while (first) {
    struct node *next = first->next;
    free(first);
    first = next;
  }
  return 0;
}
