// property: memsafety
// truth: fails
// expect: refuted
// options: --entry ask
// The global leads to a local that does not live any more.
static int *kept;

static void keep(void) {
  int local = 1;
  kept = &local;
}

int ask(int *other) {
  kept = other;
  keep();
  return *kept;
}
