// property: termination
// truth: holds
// expect: unknown(W030)
// Two arguments have two addresses; symbolic execution does not know it.
int main(int argc, char **argv) {
    if (argc > 2 && argv[1] == argv[2]) {
        for (;;) {
        }
    }
    return 0;
}
