// property: termination
// options: --entry spell
// truth: fails
// expect: unknown(W030)
// The helper's pointer is that of a caller, or leads to the own array: what is written there by its
// name is written behind the pointer.
typedef unsigned char byte;

static int shrink(byte *part, byte *own, byte round) {
    *part /= 10;
    own[round & 1] = 10;
    return *part != 0;
}

int spell(byte *from_outside, int which) {
    byte digits[2] = {10, 10};
    byte *part = which ? from_outside : digits;
    byte round = 0;
    do {
        *part /= 10;
        digits[round & 1] = 10;
        round++;
    } while (*part);
    return shrink(part, digits, round);
}
