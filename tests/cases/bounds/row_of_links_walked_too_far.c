// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry sum
// One step too far lies a number, which is no link.
struct item { int value; };
struct box { struct item *items[4]; unsigned long n; };

int sum(const struct box *box) {
  int sum = 0;
  struct item *const *at = box->items;
  for (int i = 0; i <= 4; i++) {
    if (*at) sum ^= (*at)->value;
    at++;
  }
  return sum;
}
