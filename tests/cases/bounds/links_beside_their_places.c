// property: memsafety
// truth: fails
// expect: unknown(W003)
// options: --entry beside
// A pointer is read from the halves of two.
struct node { int value; };

int beside(struct node **nodes, int count) {
  if (!nodes || count < 3) return 0;
  struct node **between = (struct node **)((char *)nodes + 4);
  int sum = 0;
  for (int i = 0; i + 1 < count; i++) if (between[i]) sum ^= between[i]->value;
  return sum;
}
