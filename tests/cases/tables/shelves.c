// property: memsafety
// truth: holds
// expect: proved
// Each shelf owns a list; all of them are cleared in the end.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

struct item { int key; struct item *rest; };
static struct item *shelf[8];

static void put(int key) {
  struct item *new = malloc(sizeof *new);
  new->key = key;
  new->rest = shelf[(unsigned)key % 8];
  shelf[(unsigned)key % 8] = new;
}

int main(void) {
  for (int n = __VERIFIER_nondet_int(); n > 0; n--) put(__VERIFIER_nondet_int());
  for (int i = 0; i < 8; i++) {
    while (shelf[i]) {
      struct item *first = shelf[i];
      shelf[i] = first->rest;
      free(first);
    }
  }
  return 0;
}
