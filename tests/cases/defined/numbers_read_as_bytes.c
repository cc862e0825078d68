// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry drain
// The byte that a loop counts is also written as part of a number.
static void set(unsigned *number)
{
    *number = 9;
}

void drain(unsigned char *bytes)
{
    unsigned other;
    while (bytes[0] > 0) {
        bytes[0]--;
        set(&other);
        set((unsigned *)bytes);
    }
}
