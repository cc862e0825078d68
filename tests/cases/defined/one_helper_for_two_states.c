// property: termination
// truth: fails
// expect: refuted
// options: --entry run
// The helper counts down the one state and never the other.
struct state {
    int left;
};

static void step(struct state *state) { state->left--; }

void run(int n, int other)
{
    struct state one = {n}, two = {other};
    while (one.left > 0) {
        struct state *chosen = &one;
        if (two.left > 0)
            chosen = &two;
        step(chosen);
        two.left = 1;
    }
}
