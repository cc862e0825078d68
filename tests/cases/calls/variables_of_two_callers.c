// property: termination
// truth: holds
// expect: proved
// The recursion sees variables of both of its callers.

static int count(int n, int *first, int *second) {
    if (n <= 0)
        return 0;
    *first = *second + 1;
    return count(n - 1, first, second);
}

static void middle(int *first) {
    int second = 0;
    count(3, first, &second);
}

int main(void) {
    int first = 0;
    middle(&first);
    return first;
    return 0;
}
