// property: spec
// spec: tests/cases/liveness/watched_functions_are_missing.slic
// truth: holds
// expect: proved
// why: nothing that the specification watches is ever called, so nothing is owed.
static int n;

static void work(void) { n = !n; }

int main(void) {
    for (;;)
        work();
}
