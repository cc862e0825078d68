// property: termination
// truth: fails
// expect: unknown(W004)
// The first link is written as a long number, and then its lower half as zero: it is
// not null, and the walk finds it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  union {
    struct node *previous;
    long wide;
    int narrow;
  } link;
};

int main(void) {
  struct node *first = malloc(sizeof *first);
  first->next = NULL;
  first->link.wide = 1L << 32;
  first->link.narrow = 0;
  struct node *last = first;
  for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
    struct node *node = malloc(sizeof *node);
    node->next = NULL;
    node->link.previous = last;
    last->next = node;
    last = node;
  }
  while (last) {
    struct node *previous = last->link.previous;
    if (previous == (struct node *)(1L << 32))
      while (1) {
      }
    free(last);
    last = previous;
  }
  return 0;
}
