// property: termination
// truth: holds
// expect: proved
// The lists of a table are walked one by one: each gets shorter.
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
  int sum = 0;
  for (int n = __VERIFIER_nondet_int(); n > 0; n--) put(__VERIFIER_nondet_int());
  for (int i = 0; i < 8; i++)
    for (struct item *at = shelf[i]; at; at = at->rest) sum ^= at->key;
  return sum & 1;
}
