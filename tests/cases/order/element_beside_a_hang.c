// property: memsafety
// truth: fails
// expect: refuted
// The element may be read before the call that never returns.
static int table[3];
static int at = 5;

static int spin(void) {
    while (1)
        ;
    return 0;
}

static int second(int first, int second) {
    return first - second;
}

int main(void) {
    return second(spin(), table[at]);
}
