// property: termination
// truth: fails
// expect: refuted
// The remainder has the sign of what is divided.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0)
    while (x % 3 == -1)
      ;
  return 0;
}
