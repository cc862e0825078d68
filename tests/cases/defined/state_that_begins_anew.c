// property: termination
// truth: fails
// expect: refuted
// options: --entry run
// In each round there is another state, which begins at 3.
struct state {
    int left;
};

static void step(struct state *state) { state->left--; }

void run(int n)
{
    while (n > 0) {
        struct state state = {3};
        step(&state);
        if (state.left < 2)
            n--;
    }
}
