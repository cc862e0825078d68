// property: termination
// truth: fails
// expect: refuted
// What is volatile may change by itself, also where no address of it is taken.
int main(void) {
    volatile int flag = 0;
    while (flag == 1) {
    }
    return 0;
}
