// property: thread-termination
// thread: watch
// options: --entry watch
// truth: fails
// expect: refuted
// why: others find the function in the table, which is no file's own.
static int state = 2;

static void rearm(void) {
    state = 5;
}

struct operations {
    void (*rearm)(void);
} operations = { rearm };

void watch(void) {
    while (state == 5) {}
}
