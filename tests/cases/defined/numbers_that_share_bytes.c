// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry run
// The bytes of the number are written one by one, so that it stays what it was.
union number {
    int whole;
    unsigned char bytes[4];
};

void run(int n)
{
    union number number;
    number.whole = n;
    while (number.whole > 0) {
        unsigned char low = number.bytes[0];
        number.whole--;
        number.bytes[0] = low;
    }
}
