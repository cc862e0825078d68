// property: memsafety
// truth: fails
// expect: refuted
// The memory ends with the call that made it; an element still leads there.
extern int __VERIFIER_nondet_int(void);
struct item { int key; };
static struct item *shelf[8];
static void lend(void) {
  struct item *own = __builtin_alloca(sizeof *own);
  shelf[(unsigned)__VERIFIER_nondet_int() % 8] = own;
  own = 0;
  for (int n = __VERIFIER_nondet_int(); n > 0; n--) ;
}
int main(void) {
  shelf[0] = 0;
  lend();
  unsigned i = (unsigned)__VERIFIER_nondet_int() % 8;
  if (shelf[i]) shelf[i]->key = 2;
  return 0;
}
