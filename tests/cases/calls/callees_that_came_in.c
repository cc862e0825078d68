// property: termination
// truth: holds
// expect: proved
// options: --entry drain
// Functions whose addresses come in return, as the report says.
struct stage {
    int (*step)(void *context);
    void *context;
};

int drain(struct stage *stages, int n)
{
    int done = 0;
    for (int i = 0; i < n; i++)
        done += stages[i].step(stages[i].context);
    return done;
}
