// property: termination
// truth: holds
// expect: unknown(W020)

/* GNU C: a function inside of a function counts a variable of the outer one down. */
int main(void)
{
    int n = 5;
    void down(void) { n--; }
    while (n > 0)
        down();
    return 0;
}
