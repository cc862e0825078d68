// property: memsafety
// truth: fails
// expect: unknown(W002)
// A short zero over the lower half of a pointer leaves no null pointer.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next, *previous;
};

int main(void) {
  struct node *first = malloc(sizeof *first);
  first->next = NULL;
  first->previous = first;
  *(short *)&first->previous = 0;
  struct node *last = first;
  for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
    struct node *node = malloc(sizeof *node);
    node->next = NULL;
    node->previous = last;
    last->next = node;
    last = node;
  }
  while (last) {
    struct node *previous = last->previous;
    free(last);
    last = previous;
  }
  return 0;
}
