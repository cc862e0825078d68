// property: spec
// spec: tests/cases/liveness/watched_functions_are_missing.slic
// truth: fails
// expect: refuted
// why: `leave` is no function here, so what `enter` owes is never paid.
static int n;

static void enter(void) { n = 1; }

int main(void) {
    for (;;)
        enter();
}
