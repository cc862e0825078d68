// property: termination
// truth: holds
// expect: proved
// No argument is null but the one behind the last one.
int main(int argc, char **argv) {
    char **end = argv;
    while (*end) {
        end++;
    }
    while (end - argv != argc) {
    }
    return 0;
}
