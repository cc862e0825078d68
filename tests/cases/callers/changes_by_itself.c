// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry put
// What stands at a volatile place, only its owner knows.
int put(volatile int *at) {
  int *other = 0;
  *at = 0;
  return *at ? *other : 0;
}
