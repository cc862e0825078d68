// property: termination
// truth: holds
// expect: proved
// options: --entry run
// The inner loop begins with the value that it asks for, and ends with one on either side of it.
int other(void);

void run(int n)
{
    if (n > 1000)
        return;
    for (int i = 0; i < n;) {
        int value = 7;
        while (value == 7 && i < n) {
            i++;
            value = other();
        }
    }
}
