// property: termination
// truth: fails
// expect: unknown(W020)
// It is declared by the compiler: as a vector here, and not as an `int`.
typedef int four __attribute__((vector_size(16)));
four numbers;
int main(void) {
    while (sizeof(__builtin_shuffle(numbers, numbers)) == 16) {}
    return 0;
}
