// property: memsafety
// truth: holds
// expect: proved
// options: --entry put
// Both may lead to one object, and the other type writes its number: so they have to be apart.
struct row { int kind, n, cells[4]; };
struct head { int kind, n; };

int put(struct row *row, struct row *other) {
  struct head *head = (struct head *)other;
  if (row->n < 0 || row->n > 3) return 0;
  head->n = 1 << 28;
  return row->cells[row->n];
}
