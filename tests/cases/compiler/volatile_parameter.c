// property: termination
// truth: fails
// expect: refuted
static int wait(volatile int flag) {
    while (flag == 1) {
    }
    return flag;
}

int main(void) {
    return wait(0);
}
