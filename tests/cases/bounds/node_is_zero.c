// property: memsafety
// truth: holds
// expect: proved
// options: --entry reset
// The whole node is set to zero, and so its link is null.
#include <string.h>
struct node { int value; struct node *next; };

int reset(struct node *node) {
  if (!node) return 0;
  memset(node, 0, sizeof *node);
  return node->next ? node->next->value : 0;
}
