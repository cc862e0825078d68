// property: termination
// truth: holds
// expect: proved
// options: --entry walk
// Each call has a state of its own, which the inner calls leave as it is.
struct state {
    int left;
};

static void step(struct state *state) { state->left--; }

void walk(int depth)
{
    struct state state = {2};
    if (depth <= 0)
        return;
    while (state.left > 0) {
        step(&state);
        walk(depth - 1);
    }
}
