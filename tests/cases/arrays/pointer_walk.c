// property: termination
// truth: holds
// expect: proved
// A pointer walks from the start to behind the end.
int main(void) {
    int table[8];
    for (int *place = table; place != table + 8; place++)
        *place = 1;
    return table[7];
}
