// property: termination
// truth: fails
// expect: refuted
// A parameter that takes several types of pointers.
typedef union {
    int *number;
    char *text;
} any __attribute__((transparent_union));

static int value(any argument)
{
    return *argument.number;
}

int main(void)
{
    int x = 3;
    while (value(&x) == 3)
        ;
    return 0;
}
