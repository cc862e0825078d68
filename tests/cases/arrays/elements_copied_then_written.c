// property: memsafety
// truth: fails
// expect: refuted
// What is written after the copy is not in the copy, but it is in the original.
extern int __VERIFIER_nondet_int(void);
struct number { int n; int digits[8]; };

int main(void) {
  int counts[10] = {0};
  struct number it = {0, {0}};
  for (int i = 0; i < 8; i++) it.digits[i] = i + 1;
  struct number copy = it;
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 7) return 1;
  it.digits[i] = 10;
  counts[copy.digits[i]] = 1;
  counts[it.digits[i]] = 1;
  return 0;
}
