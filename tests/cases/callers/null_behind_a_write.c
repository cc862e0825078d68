// property: memsafety
// truth: fails
// expect: refuted
// options: --entry put
// Nothing of what comes in decides anything: whoever calls it, a null pointer is followed.
void put(int *at, int value) {
  int *other = 0;
  *at = value;
  *other = value;
}
