// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry put
// A caller may hand over the variable itself, or one beside it.
int kept;

int put(int *at) {
  int *other = 0;
  kept = 0;
  *at = 1;
  return at != &kept && kept == 0 ? *other : 0;
}
