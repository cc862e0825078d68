// property: termination
// truth: holds
// expect: proved
// The same, to the end.
int main(void)
{
    void *next = &&round;
    int x = 10;
    goto *next;
round:
    x--;
    if (x == 0)
        next = &&done;
    goto *next;
done:
    return 0;
}
