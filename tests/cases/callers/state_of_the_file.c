// property: memsafety
// truth: holds
// expect: proved
// options: --entry use
// Before the first call of `begin` the pointer is null, and nobody calls `use` then.
static int *ready;
static int is_ready;

void begin(int *at) {
  ready = at;
  is_ready = 1;
}

void use(int *at) {
  if (!is_ready) *at = 1;
  *ready = 2;
}
