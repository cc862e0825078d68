// property: termination
// truth: holds
// expect: proved
// A string is scanned to its terminating zero, or to the end of the buffer.
int __VERIFIER_nondet_int(void);

int main(void) {
    char text[16];
    for (int i = 0; i < 15; i++)
        text[i] = (char)__VERIFIER_nondet_int();
    text[15] = 0;
    int length = 0;
    while (length < 16 && text[length] != 0)
        length++;
    return length;
}
