// property: termination
// truth: holds
// expect: proved
// Insertion into a search tree through the address of a link.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *small, *large;
  int key;
};

static struct node *root;

static void insert(int key) {
  struct node **link = &root;
  while (*link != NULL) {
    if ((*link)->key == key)
      return;
    link = key < (*link)->key ? &(*link)->small : &(*link)->large;
  }
  struct node *fresh = malloc(sizeof *fresh);
  fresh->small = fresh->large = NULL;
  fresh->key = key;
  *link = fresh;
}

int main(void) {
  for (int n = __VERIFIER_nondet_int(); n > 0; n--)
    insert(__VERIFIER_nondet_int());
  struct node *here = root;
  while (here)
    here = here->small;
  return 0;
}
