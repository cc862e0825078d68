// property: termination
// truth: fails
// expect: refuted
// Its value is an `unsigned`, whatever type it is declared with.
struct {
    unsigned long low : 32;
} word;

int main(void) {
    while (word.low - 1 == 4294967295u) {
    }
    return 0;
}
