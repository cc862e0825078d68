// property: termination
// truth: holds
// expect: proved
// At least the name of the program is given.
int main(int argc, char **argv) {
    while (argc < 1) {
    }
    char **next = argv;
    while (argc == 0 && !next[0]) {
    }
    return 0;
}
