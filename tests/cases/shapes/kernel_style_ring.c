// property: termination
// truth: holds
// expect: proved
// Links embedded in larger structs, in a ring with a head on the stack.
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link {
  struct link *next, *prev;
};

struct task {
  int id;
  struct link link;
};

#define task_of(l) ((struct task *)((char *)(l) - offsetof(struct task, link)))

int main(void) {
  struct link head = {&head, &head};
  for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
    struct task *t = malloc(sizeof *t);
    t->id = n;
    t->link.next = head.next;
    t->link.prev = &head;
    head.next->prev = &t->link;
    head.next = &t->link;
  }
  for (struct link *l = head.next; l != &head; l = l->next)
    task_of(l)->id = 0;
  while (head.next != &head) {
    struct link *l = head.next;
    head.next = l->next;
    l->next->prev = &head;
    free(task_of(l));
  }
  return 0;
}
