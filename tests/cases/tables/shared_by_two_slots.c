// property: memsafety
// truth: fails
// expect: refuted
// One block is held by two slots, and freed by both.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

static int *slot[6];

int main(void) {
  int *one = malloc(4);
  int k = __VERIFIER_nondet_int() & 3;
  slot[k] = one;
  slot[k + 2] = one;
  for (int i = 0; i < 6; i++) free(slot[i]);
  return 0;
}
