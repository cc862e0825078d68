// property: memsafety
// truth: holds
// expect: proved
// The arguments of the program are strings.
int main(int argc, char **argv) {
    return argc > 1 ? argv[1][0] : 0;
}
