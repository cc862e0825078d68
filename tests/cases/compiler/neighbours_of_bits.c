// property: termination
// truth: fails
// expect: refuted
// A bit-field shares its unit with members that are none.
struct mixed {
    char before;
    unsigned bits : 8;
    char after;
};

struct __attribute__((packed)) tight {
    unsigned low : 3;
    unsigned high : 5;
};

int main(void)
{
    struct mixed mixed = { 1, 2, 3 };
    struct tight tight = { 7, 31 };
    mixed.bits = 255;
    tight.low = 1;
    while (mixed.before == 1 && mixed.after == 3 && sizeof tight == 1 && tight.high == 31)
        ;
    return 0;
}
