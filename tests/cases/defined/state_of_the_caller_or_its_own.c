// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry run
// The state may be the caller's, of which nothing is known.
struct state {
    int left;
    int step;
};

void run(struct state *given)
{
    struct state own = {3, 1}, *state = &own;
    if (given)
        state = given;
    while (state->left > 0)
        state->left -= state->step;
}
