// property: termination
// truth: fails
// expect: refuted
int n;

void set(int *variable) {
    n = 5;
}

int call(void) {
    __attribute__((cleanup(set))) int variable = 0;
    return variable;
}

int main(void) {
    while (n + call() == 5) {
    }
    return 0;
}
