// property: memsafety
// truth: holds
// expect: proved
// Of two elements at different indices each is freed once.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

static int *slot[5];

int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < 5; i++) slot[i] = malloc(4);
  int i = n & 1, j = 2 + (n & 2);
  free(slot[i]);
  slot[i] = 0;
  free(slot[j]);
  slot[j] = 0;
  for (int k = 0; k < 5; k++) free(slot[k]);
  return 0;
}
