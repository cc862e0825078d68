// property: memsafety
// truth: holds
// expect: proved
// options: --entry put
// A caller that gives no zero has nothing to fear.
void put(int *at, int by) {
  *at = 100 / by;
}
