// property: termination
// truth: holds
// expect: proved
int main(void) {
    unsigned rows = 3, columns = 4, i = 0;
    while (i <= rows) {
        int j = 1;
        while (j <= columns) j++;
        i++;
    }
    return 0;
}
