// property: termination
// truth: fails
// expect: refuted
// options: --data-model=ilp32
// A number of 8 bytes prefers 8 and has 4 in structures, as compilers have it on i386.
typedef struct {
    long long whole __attribute__((__aligned__(__alignof__(long long))));
} most;
struct two { char small; long long whole; };

int main(void) {
    if (_Alignof(long long) == 4 && _Alignof(most) == 8 && sizeof(struct two) == 12)
        while (1)
            ;
    return 0;
}
