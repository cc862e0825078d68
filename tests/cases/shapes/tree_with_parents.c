// property: termination
// truth: holds
// expect: proved
// Down to the leftmost cell, and up again by parent links.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *left, *right, *parent;
};

static struct node *build(int height) {
  if (height <= 0)
    return NULL;
  struct node *t = malloc(sizeof *t);
  t->parent = NULL;
  t->left = build(height - 1);
  if (t->left)
    t->left->parent = t;
  t->right = build(height - 1);
  if (t->right)
    t->right->parent = t;
  return t;
}

int main(void) {
  struct node *here = build(__VERIFIER_nondet_int());
  if (!here)
    return 0;
  while (here->left)
    here = here->left;
  while (here->parent)
    here = here->parent;
  return 0;
}
