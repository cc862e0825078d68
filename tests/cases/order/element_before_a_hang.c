// property: memsafety
// truth: holds
// expect: proved
// A comma has its order: the element is never read.
static int table[3];
static int at = 5;

static int spin(void) {
    while (1)
        ;
    return 0;
}

int main(void) {
    return (spin(), table[at]);
}
