// property: termination
// options: --entry spell
// truth: holds
// expect: proved
// What is written into an array of its own is no part of the number that gets smaller, although
// both are bytes and the index is any.
typedef unsigned char byte;

void spell(unsigned address, char *out) {
    char digits[3];
    byte *part = (byte *)&address;
    for (byte n = 0; n < 4; n++) {
        byte i = 0;
        do {
            digits[i++] = (char)('0' + *part % 10);
            *part /= 10;
        } while (*part);
        while (i--)
            *out++ = digits[i];
        part++;
    }
}
