// property: memcleanup
// truth: holds
// expect: proved
// A table of blocks is filled and freed, however long it is.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 500) return 0;
  int **table = malloc(n * sizeof *table);
  for (int i = 0; i < n; i++) table[i] = malloc(12);
  for (int i = n; i > 0; i--) free(table[i - 1]);
  free(table);
  return 0;
}
