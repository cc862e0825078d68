// property: termination
// truth: fails
// expect: unknown(W020)
// A byte that is neither 0 nor 1 is no value of `_Bool`.
int main(void)
{
    _Bool flag = 0;
    *(unsigned char *)&flag = 6;
    int n = flag;
    while (n == 6)
        ;
    return 0;
}
