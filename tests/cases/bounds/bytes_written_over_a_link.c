// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry mark
// Bytes of any object may be written: the link leads nowhere then.
struct node { int value; struct node *next; };

int mark(struct node *node) {
  char *bytes;
  if (!node) return 0;
  bytes = (char *)node;
  bytes[9] = 7;
  return node->next ? node->next->value : 0;
}
