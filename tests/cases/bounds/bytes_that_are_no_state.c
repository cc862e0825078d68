// property: memsafety
// truth: fails
// expect: refuted
// options: --entry handle
// The object behind the untyped pointer is known, and is too small.
struct state { int open, lines; };
static char bytes[4];

int handle(void) {
  void *untyped = bytes;
  struct state *state = untyped;
  return state->lines;
}
