// property: memsafety
// truth: holds
// expect: proved
// why: what is stored was checked, so each element is an index
int input(void);

int main(void) {
    int weight[24], chosen[24], n = 0;
    for (int i = 0; i < 24; i++)
        weight[i] = i * i;
    while (n < 24) {
        int candidate = input();
        if (candidate == -1)
            break;
        if (candidate < 0 || candidate >= 24)
            continue;
        chosen[n++] = candidate;
    }
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += weight[chosen[i]] & 7;
    return sum;
}
