// property: termination
// truth: holds
// expect: proved
// Addresses of a block, as numbers, from its start to its end.
int main(void) {
    int numbers[10];
    unsigned long end = (unsigned long)(numbers + 10);
    for (unsigned long at = (unsigned long)numbers; at < end; at += sizeof(int)) {
        *(int *)at = 1;
    }
    return 0;
}
