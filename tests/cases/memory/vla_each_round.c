// property: memsafety
// truth: holds
// expect: proved
// Each round has an array of its own; it ends with `break` and `continue`, too.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 1; i < n && i < 50; i++) {
        int row[i];
        row[i - 1] = i;
        if (row[i - 1] % 7 == 6)
            continue;
        if (row[i - 1] == 40)
            break;
    }
    return 0;
}
