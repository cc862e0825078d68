// property: termination
// truth: fails
// expect: unknown(W020)
// GCC computes with as many bits as it has, other compilers with those of its type.
struct {
    unsigned long low : 40;
} word;

int main(void) {
    while (word.low - 1 == 0xFFFFFFFFFF) {
    }
    return 0;
}
