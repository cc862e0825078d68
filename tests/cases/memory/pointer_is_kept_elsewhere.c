// property: memsafety
// truth: holds
// expect: proved
// options: --entry swap
// Each pointer that is overwritten is somewhere else then.
void swap(char **one, char **other) {
    char *kept = *one;
    *one = *other;
    *other = kept;
}
