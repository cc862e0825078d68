// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry f
// Round and round through a table that holds something else.
void f(const int *table, int length, int key) {
  int i = 0;
  while (table[i] != key)
    i = (i + 1) % length;
}
