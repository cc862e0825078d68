// property: memsafety
// truth: fails
// expect: refuted
// options: --entry put
// The row is the function's own, so its end is known.
void put(int *at) {
  int row[10];
  for (int i = 0; i <= 10; i++) row[i] = i;
  at[0] = row[3];
}
