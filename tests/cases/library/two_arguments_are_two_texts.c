// property: termination
// truth: holds
// expect: proved
// Two arguments have two addresses.
int main(int argc, char **argv) {
    if (argc > 2 && argv[1] == argv[2]) {
        for (;;) {
        }
    }
    return 0;
}
