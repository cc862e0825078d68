// property: memsafety
// truth: fails
// expect: unknown(W010)
// options: --entry sum
// The numbers lie at another place after the copy, and how many there had to be is of before.
struct bag { int *items; unsigned long n; };

int sum(struct bag *bag, const struct bag *from) {
  unsigned long n = bag->n;
  int sum = bag->items[n];
  *bag = *from;
  for (unsigned long i = 0; i < n; i++) sum ^= bag->items[i];
  return sum;
}
