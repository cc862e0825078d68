// property: memsafety
// truth: holds
// expect: proved
// options: --entry third
// What a test says of a member holds where it is read again.
struct node { int value; struct node *next; };

int third(struct node *node) {
  if (node && node->next && node->next->next) return node->next->next->value;
  return 0;
}
