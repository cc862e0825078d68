// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry put
// The function may never come back, and may give anything.
int outside(int);

int put(int *at) {
  int *other = 0;
  *at = 1;
  return outside(3) ? *other : 0;
}
