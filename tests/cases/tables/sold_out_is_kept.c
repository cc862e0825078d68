// property: reach
// truth: fails
// expect: refuted
// Goods lie on shelves; the last of them is sold, and its place is kept.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void reach_error(void);

struct goods { struct goods *below; int count; };
static struct goods *shelf[4];

static void deliver(unsigned at, int count) {
  struct goods *new = malloc(sizeof *new);
  new->count = count;
  new->below = shelf[at];
  shelf[at] = new;
}

static void sell(unsigned at) {
  struct goods *top = shelf[at];
  if (!top) return;
  if (top->count >= 1) {
    top->count--;
  } else {
    shelf[at] = top->below;
    free(top);
  }
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    unsigned at = __VERIFIER_nondet_int();
    int count = __VERIFIER_nondet_int();
    if (at >= 4) continue;
    if (count > 0) deliver(at, count);
    else sell(at);
  }
  for (int i = 0; i < 4; i++)
    for (struct goods *it = shelf[i]; it; it = it->below)
      if (it->count < 1) reach_error();
  return 0;
}
