// property: memsafety
// truth: fails
// expect: refuted
// The first block of the table is never freed, the table is.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 500) return 0;
  int **table = malloc(n * sizeof *table);
  for (int i = 0; i < n; i++) table[i] = malloc(12);
  for (int i = 1; i < n; i++) free(table[i]);
  free(table);
  return 0;
}
