// property: termination
// truth: holds
// expect: proved
// Each slot holds a tree; in each of them a search goes down.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

struct leaf { int key; struct leaf *left, *right; };
static struct leaf *root[4];

static void add(int key) {
  struct leaf *new = malloc(sizeof *new);
  new->key = key;
  new->left = new->right = 0;
  struct leaf **at = &root[key & 3];
  while (*at) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
  *at = new;
}

int main(void) {
  for (int n = __VERIFIER_nondet_int(); n > 0; n--) add(__VERIFIER_nondet_int());
  return 0;
}
