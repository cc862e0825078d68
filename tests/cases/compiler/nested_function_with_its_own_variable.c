// property: termination
// truth: fails
// expect: unknown(W020)

/* The function inside counts a variable of its own down. A function of the same name outside,
   which would end the loop, is another one. */
static int n;
void down(void) { n = 0; }

int main(void)
{
    n = 5;
    void down(void) { int n = 3; n--; }
    while (n > 0)
        down();
    return 0;
}
