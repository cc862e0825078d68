// property: thread-termination
// thread: wait_idle
// options: --entry wait_idle
// truth: fails
// expect: unknown(W020)
// why: what callers pass to `set_busy` is not known, and may be any memory.
static int busy;

void wait_idle(void) {
    while (busy) ;
}

void set_busy(int *from) {
    busy = *from;
}
