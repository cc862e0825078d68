// property: termination
// truth: fails
// expect: unknown(W035)
// Where integers wrap around, the loop ends; C says nothing of that.
int main(void) {
    for (int i = 0; i >= 0; i++) {
    }
    return 0;
}
