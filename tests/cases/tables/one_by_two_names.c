// property: memsafety
// truth: fails
// expect: refuted
// Two indices may be the same: the block is freed twice.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

static int *slot[5];

int main(void) {
  for (int i = 0; i < 5; i++) slot[i] = malloc(4);
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i < 0 || i > 4 || j < 0 || j > 4) return 0;
  free(slot[i]);
  free(slot[j]);
  return 0;
}
