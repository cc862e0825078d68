// property: spec
// spec: tests/cases/order/watched_calls.slic
// truth: fails
// expect: refuted
// The second operand may be evaluated first.
static int first(void) { return 1; }
static int second(void) { return 2; }

int main(void) {
    return first() + second();
}
