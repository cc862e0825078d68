// property: memsafety
// truth: holds
// expect: proved
// Free slots and those in use are two lists; what links them are numbers of slots, or -1.
extern int __VERIFIER_nondet_int(void);
struct slot { int next; int content; };
static struct slot slots[24];
static int unused, used = -1;

static void lay_out(void) {
  for (int i = 0; i < 24; i++) slots[i].next = i + 1 < 24 ? i + 1 : -1;
  unused = 0;
}

static void take(int content) {
  int i = unused;
  if (i < 0) return;
  unused = slots[i].next;
  slots[i].content = content;
  slots[i].next = used;
  used = i;
}

static void put_back(void) {
  int i = used;
  if (i < 0) return;
  used = slots[i].next;
  slots[i].next = unused;
  unused = i;
}

int main(void) {
  lay_out();
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) take(__VERIFIER_nondet_int());
    else put_back();
  }
  return 0;
}
