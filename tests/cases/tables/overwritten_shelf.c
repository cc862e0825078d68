// property: memsafety
// truth: fails
// expect: refuted
// What a shelf held is lost with the next item.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

struct item { int key; struct item *rest; };
static struct item *shelf[4];

int main(void) {
  for (int n = 0; n < 5; n++) {
    unsigned k = (unsigned)__VERIFIER_nondet_int() % 4;
    struct item *new = malloc(sizeof *new);
    new->rest = 0;
    shelf[k] = new;
  }
  return 0;
}
