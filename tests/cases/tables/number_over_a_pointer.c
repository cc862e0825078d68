// property: memsafety
// truth: fails
// expect: unknown(W002)
// A number is written over an element that was null: it is no pointer to an item.
extern int __VERIFIER_nondet_int(void);
struct item { int key; struct item *rest; };
static struct item *shelf[8];
int main(void) {
  for (unsigned wait = 0; wait < 2000000000u; wait++) ;
  unsigned i = (unsigned)__VERIFIER_nondet_int() % 8;
  shelf[i] = 0;
  *(unsigned long *)&shelf[i] = 4711;
  if (shelf[i]) shelf[i]->key = 3;
  return 0;
}
