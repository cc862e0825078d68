// property: memsafety
// truth: holds
// expect: proved
// Every digit is below ten, in the copy still when it is not any more in the original.
extern int __VERIFIER_nondet_int(void);
struct number { int n; int digits[8]; };

int main(void) {
  int counts[10] = {0};
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 8) return 1;
  struct number it = {0};
  for (int i = 0; i < n; i++) {
    int digit = __VERIFIER_nondet_int();
    it.digits[i] = digit >= 0 && digit < 10 ? digit : 0;
  }
  struct number copy = it;
  it.digits[0] = 10;
  for (int i = 0; i < n; i++) counts[copy.digits[i]] = 1;
  return counts[0];
}
