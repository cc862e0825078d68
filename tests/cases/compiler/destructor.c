// property: termination
// truth: fails
// expect: refuted
// A destructor runs after `main`.
__attribute__((destructor)) static void last(void)
{
    for (;;)
        ;
}

int main(void)
{
    return 0;
}
