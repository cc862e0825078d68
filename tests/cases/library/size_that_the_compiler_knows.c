// property: memsafety
// truth: fails
// expect: refuted
// The operand is not evaluated.
int main(void) {
    int table[2] = { 0 };
    int i = 2;
    (void)__builtin_object_size(&table[i = 0], 0);
    return table[i];
}
