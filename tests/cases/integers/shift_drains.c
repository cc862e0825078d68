// property: memsafety
// truth: holds
// expect: proved
// The count stays below the width although the loops do not say so.
int main(void)
{
    unsigned long bits = 0;
    int count = 0;
    for (int i = 0; i < 100; i++) {
        bits = (bits << 8) | (unsigned long)(i & 255);
        count += 8;
        while (count >= 6) {
            count -= 6;
            unsigned digit = (bits >> count) & 63;
            (void)digit;
        }
    }
    return 0;
}
