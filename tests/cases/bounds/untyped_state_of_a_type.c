// property: memsafety
// truth: holds
// expect: proved
// options: --entry handle
// What an untyped pointer leads to is what it is used as.
struct state { int open, lines; };
struct handler { void *state; };

int handle(struct handler *handler) {
  struct state *state = handler->state;
  if (!state) return 0;
  state->open = 1;
  return state->lines;
}
