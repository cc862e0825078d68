// property: termination
// truth: holds
// expect: proved
// Recursions over binary trees, and a walk from the root to a leaf.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
  int data;
  struct tree *left;
  struct tree *right;
};

static struct tree *build(int height) {
  if (height <= 0)
    return NULL;
  struct tree *t = malloc(sizeof *t);
  t->data = height;
  t->left = build(height - 1);
  t->right = build(height - 2);
  return t;
}

static int size(const struct tree *t) {
  if (!t)
    return 0;
  return 1 + size(t->left) + size(t->right);
}

static void destroy(struct tree *t) {
  if (!t)
    return;
  destroy(t->left);
  destroy(t->right);
  free(t);
}

int main(void) {
  struct tree *root = build(__VERIFIER_nondet_int());
  struct tree *here = root;
  while (here)
    here = __VERIFIER_nondet_int() ? here->left : here->right;
  int n = size(root);
  destroy(root);
  return n == 0;
}
