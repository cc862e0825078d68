// property: termination
// truth: fails
// expect: refuted
// Behind a null pointer the numbers of addresses start again from the end.
int main(void) {
    char *pointer = 0;
    char buffer[4];
    while (pointer - 8 > buffer) {
    }
    return 0;
}
