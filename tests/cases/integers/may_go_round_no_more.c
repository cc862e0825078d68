// property: termination
// truth: fails
// expect: refuted
// options: --entry run
// The inner loop may begin with a value on either side of what it asks for.
int other(void);

void run(int n)
{
    if (n > 1000)
        return;
    for (int i = 0; i < n;) {
        int value = 7 + other() % 2;
        while (value == 7 && i < n) {
            i++;
            value = other();
        }
    }
}
