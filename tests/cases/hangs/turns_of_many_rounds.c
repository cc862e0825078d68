// property: termination
// truth: fails
// expect: refuted
// options: --entry f
// The cell is chosen anew after eleven rounds: nothing that memory holds is asked for, and whoever gives
// a longer row waits for ever.
void f(int *row, int length) {
  int i = 0;
  while (i < length) {
    row[i] = 42;
    if (i > 10)
      i = 0;
    i++;
  }
}
