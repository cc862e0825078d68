// property: memsafety
// truth: holds
// expect: proved
// `main` calls itself with arguments that it looks at.
static int sum;

int main(int argc, char **argv) {
    if (argc > 1) {
        return main(argc - 1, argv);
    }
    sum += argc;
    return sum;
}
