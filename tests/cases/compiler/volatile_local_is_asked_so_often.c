// property: termination
// truth: holds
// expect: proved
int main(void) {
    volatile int flag = 0;
    for (int tries = 0; tries < 10 && flag == 0; tries++) {
    }
    return 0;
}
