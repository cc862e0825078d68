// property: memsafety
// truth: fails
// expect: refuted
// The first item of a shelf is freed, and the shelf still holds it.
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
  for (int n = 0; n < 3; n++) put(__VERIFIER_nondet_int());
  int k = __VERIFIER_nondet_int();
  if (k < 0 || k > 7) return 0;
  if (shelf[k]) free(shelf[k]);
  int sum = 0;
  for (int i = 0; i < 8; i++)
    for (struct item *at = shelf[i]; at; at = at->rest) sum ^= at->key;
  return sum & 1;
}
