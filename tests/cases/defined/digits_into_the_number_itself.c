// property: termination
// options: --entry spell
// truth: fails
// expect: unknown(W030)
// The array that is written may be where the number lies: its first digit comes back again.
typedef unsigned char byte;

void spell(byte *part, byte **where) {
    byte digits[3] = {0, 0, 0};
    byte *into = *where ? digits : part;
    byte i = 0;
    do {
        *part /= 10;
        into[i & 1] = 10;
        i++;
    } while (*part);
}
