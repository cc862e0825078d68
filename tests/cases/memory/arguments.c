// property: memsafety
// truth: holds
// expect: unknown(W002)
// The arguments of the program are strings, of which little is known.
int main(int argc, char **argv) {
    return argc > 1 ? argv[1][0] : 0;
}
