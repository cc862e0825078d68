// property: termination
// truth: fails
// expect: refuted
// The result is reduced to the type that receives it.
int main(void)
{
    signed char small;
    unsigned wide;
    _Bool first = __builtin_add_overflow(100, 100, &small);
    _Bool second = __builtin_sub_overflow(3, 5, &wide);
    _Bool third = __builtin_mul_overflow(3, 5, &wide);
    while (first && small == -56 && second && !third && wide == 15)
        ;
    return 0;
}
