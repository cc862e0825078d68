// property: termination
// truth: fails
// expect: refuted
// options: --entry run
// The helper finds the state by the pointer that was kept, and sets it back.
struct state {
    int left;
};

static struct state *kept;

static void keep(struct state *state) { kept = state; }

static void again(void) { kept->left = 3; }

void run(int n)
{
    struct state state = {n};
    keep(&state);
    while (state.left > 0) {
        state.left--;
        again();
    }
}
