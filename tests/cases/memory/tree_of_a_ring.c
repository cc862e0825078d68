// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry prune
// Only along a ring would nothing be wrong, as the recursion does not come back.
#include <stdlib.h>
struct twig {
  struct twig *left, *right;
  char *leaf;
};
void prune(struct twig *twig) {
  if (twig) {
    prune(twig->left);
    free(twig->leaf);
    free(twig);
    prune(twig->right);
  }
}
