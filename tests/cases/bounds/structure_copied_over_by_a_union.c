// property: memsafety
// truth: holds
// expect: proved
// options: --entry set
// Both structures are one place, so the copy of the one says how far the loop runs by the other.
struct range { unsigned long low, high; };
struct span { unsigned long n, step; };
union both { struct range range; struct span span; };

int set(union both *both, const struct range *range, int *items) {
  int sum = 0;
  if (both->span.n > 4) return 0;
  both->range = *range;
  for (unsigned long i = 0; i < both->span.n; i++) sum ^= items[i];
  return sum;
}
