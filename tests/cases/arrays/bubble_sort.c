// property: termination
// truth: holds
// expect: proved
// Two nested counted loops exchange neighbours.
int __VERIFIER_nondet_int(void);

int main(void) {
    int table[6];
    for (int i = 0; i < 6; i++)
        table[i] = __VERIFIER_nondet_int();
    for (int end = 6; end > 1; end--) {
        for (int i = 0; i + 1 < end; i++) {
            if (table[i] > table[i + 1]) {
                int small = table[i + 1];
                table[i + 1] = table[i];
                table[i] = small;
            }
        }
    }
    return table[0];
}
