// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry cut
// The member that is tested may be the one that is written: both may be the same node.
struct node { int value; struct node *next; };

int cut(struct node *one, struct node *other) {
  if (!one || !other || !one->next) return 0;
  other->next = 0;
  return one->next->value;
}
