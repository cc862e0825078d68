// property: termination
// truth: holds
// expect: proved
// A backslash makes the next line a part of the comment. \
    for (;;) ;
int main(void)
{
    int x = 3;
    // And so here: \
    x = 0;
    while (x > 0)
        x--;
    return 0;
}
