// property: memsafety
// truth: holds
// expect: proved
// What runs at the end is set up before the program begins, whether it is used or not.
int atexit(void (*function)(void));

int main(void)
{
    return 0;
}
