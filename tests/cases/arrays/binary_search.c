// property: termination
// truth: holds
// expect: proved
// The interval halves; the array is not looked at behind its ends.
int __VERIFIER_nondet_int(void);

int main(void) {
    int table[64];
    int low = 0, high = 64;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table[middle] < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
