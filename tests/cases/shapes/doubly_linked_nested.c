// property: memsafety
// truth: holds
// expect: proved
// A doubly linked list whose nodes own doubly linked lists: these are freed first, one
// by one, and then the nodes, which own nothing any more.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct leaf {
  struct leaf *next, *prev;
};

struct branch {
  struct branch *next, *prev;
  struct leaf *leaves;
};

static struct leaf *grow(void) {
  struct leaf *first = NULL;
  while (__VERIFIER_nondet_int()) {
    struct leaf *leaf = malloc(sizeof *leaf);
    leaf->prev = NULL;
    leaf->next = first;
    if (first)
      first->prev = leaf;
    first = leaf;
  }
  return first;
}

int main(void) {
  struct branch *tree = NULL;
  while (__VERIFIER_nondet_int()) {
    struct branch *branch = malloc(sizeof *branch);
    branch->prev = NULL;
    branch->leaves = grow();
    branch->next = tree;
    if (tree)
      tree->prev = branch;
    tree = branch;
  }
  for (struct branch *branch = tree; branch; branch = branch->next) {
    struct leaf *leaf = branch->leaves;
    while (leaf) {
      struct leaf *next = leaf->next;
      free(leaf);
      leaf = next;
    }
    branch->leaves = NULL;
  }
  while (tree) {
    struct branch *next = tree->next;
    free(tree);
    tree = next;
  }
  return 0;
}
