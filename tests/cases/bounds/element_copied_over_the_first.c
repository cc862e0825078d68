// property: memsafety
// truth: holds
// expect: proved
// options: --entry take
// Elements are copied as a whole: they are no members of the structure that leads to them.
struct entry { long key; void *data; };
struct pile { unsigned long room, n; struct entry *entries; };

struct entry *take(struct pile *pile) {
  if (pile->n == 0) return 0;
  pile->entries[0] = pile->entries[pile->n - 1];
  pile->n--;
  for (unsigned long i = 1; i < pile->n; i++) pile->entries[i - 1] = pile->entries[i];
  return &pile->entries[0];
}
