// property: memsafety
// truth: holds
// expect: proved
// The operand of `sizeof` is not evaluated.
int main(void) {
    int zero = 0;
    return sizeof(7 / zero) > 8;
}
