// property: memsafety
// truth: fails
// expect: unknown(W002)
// A slot is copied into a table, and what it points at is freed.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
struct item { int key; };
struct slot { struct item *content; };
static struct slot shelf[8];
int main(void) {
  for (unsigned wait = 0; wait < 2000000000u; wait++) ;
  unsigned i = (unsigned)__VERIFIER_nondet_int() % 8;
  struct slot own = { malloc(sizeof(struct item)) };
  shelf[i].content = 0;
  shelf[i] = own;
  free(own.content);
  if (shelf[i].content) shelf[i].content->key = 1;
  return 0;
}
