// property: termination
// truth: holds
// expect: proved
// Down to a leaf, and up again by parent links.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *left, *right, *parent;
};

static struct node *build(int height, struct node *parent) {
  if (height <= 0)
    return NULL;
  struct node *t = malloc(sizeof *t);
  t->parent = parent;
  t->left = build(height - 1, t);
  t->right = build(height - 1, t);
  return t;
}

int main(void) {
  struct node *here = build(__VERIFIER_nondet_int(), NULL);
  if (!here)
    return 0;
  for (;;) {
    if (here->left && __VERIFIER_nondet_int())
      here = here->left;
    else if (here->right)
      here = here->right;
    else
      break;
  }
  while (here->parent)
    here = here->parent;
  return 0;
}
