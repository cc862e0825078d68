// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry half
// Three bytes of a link are set to zero: that is not null.
#include <string.h>
struct node { int value; struct node *next; };

int half(struct node *node) {
  if (!node) return 0;
  memset((char *)node + 8, 0, 3);
  return node->next ? node->next->value : 0;
}
