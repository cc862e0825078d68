// property: memsafety
// truth: fails
// expect: refuted
// A table on the stack goes with the blocks that it holds.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

static void fill(void) {
  char *word[3];
  for (int i = 0; i < 3; i++) word[i] = malloc(8);
  for (int i = 0; i < 2; i++) free(word[i]);
}

int main(void) {
  fill();
  return 0;
}
