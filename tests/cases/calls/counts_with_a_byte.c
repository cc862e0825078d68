// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry clear
// A table of 300 cells is one that one meets.
struct table {
  unsigned length;
  int *cells;
};

void clear(struct table *table) {
  unsigned char i;
  for (i = 0; i < table->length; i++)
    table->cells[i] = 0;
}
