// property: reach
// truth: fails
// expect: unknown(W012)
// Whether a function without body returns null is its own affair.
extern void reach_error(void);
extern char *find(void);

int main(void) {
    if (find())
        reach_error();
    return 0;
}
