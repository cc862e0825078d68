// property: termination
// truth: holds
// expect: proved
// A queue: a header points at the first and at the last cell.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
  struct cell *next;
};

struct queue {
  struct cell *first, *last;
};

static void enqueue(struct queue *q) {
  struct cell *c = malloc(sizeof *c);
  c->next = NULL;
  if (q->last)
    q->last->next = c;
  else
    q->first = c;
  q->last = c;
}

int main(void) {
  struct queue *q = malloc(sizeof *q);
  q->first = q->last = NULL;
  for (int n = __VERIFIER_nondet_int(); n > 0; n--)
    enqueue(q);
  for (struct cell *c = q->first; c; c = c->next)
    ;
  while (q->first) {
    struct cell *c = q->first;
    q->first = c->next;
    if (!q->first)
      q->last = NULL;
    free(c);
  }
  free(q);
  return 0;
}
