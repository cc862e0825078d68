// property: memsafety
// truth: fails
// expect: refuted
// Behind the arguments there is a null pointer.
int main(int argc, char **argv) {
    return argv[argc][0];
}
