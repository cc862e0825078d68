// property: spec
// spec: tests/cases/order/watched_calls.slic
// truth: holds
// expect: proved
// What stands behind `&&` comes second.
static int first(void) { return 1; }
static int second(void) { return 2; }

int main(void) {
    return first() && second();
}
