// property: thread-termination
// thread: watch
// options: --entry watch
// truth: fails
// expect: refuted
// why: whoever asks for the function may call it.
static int state = 2;

static void rearm(void) {
    state = 5;
}

void (*handler(void))(void) {
    return rearm;
}

void watch(void) {
    while (state == 5) {}
}
