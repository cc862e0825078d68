// property: termination
// truth: holds
// expect: proved
// A fixed array is filled and summed.
int main(void) {
    int table[10];
    int sum = 0;
    for (int i = 0; i < 10; i++)
        table[i] = i;
    for (int i = 9; i >= 0; i--)
        sum += table[i];
    return sum;
}
