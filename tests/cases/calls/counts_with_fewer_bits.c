// property: termination
// truth: holds
// expect: proved
// options: --entry clear
// Of sizes that one meets: more cells than the counter can count are left out.
struct table {
  unsigned long length;
  int *cells;
};

void clear(struct table *table) {
  unsigned i;
  for (i = 0; i < table->length; i++)
    table->cells[i] = 0;
}
