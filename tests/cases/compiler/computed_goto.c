// property: termination
// truth: fails
// expect: refuted
// Jumps through a table of labels.
int main(void)
{
    static const void *table[] = { &&up, &&down, &&done };
    int x = 0, next = 0;
    goto *table[next];
up:
    x++;
    next = 1;
    goto *table[next];
down:
    x--;
    next = x;
    goto *table[next];
done:
    return 0;
}
