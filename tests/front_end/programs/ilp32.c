/* What the 32-bit data model changes. */
extern void reach_error(void);
#define check(c) if (!(c)) reach_error()

struct mixed { char tag; long number; void *pointer; long long wide; double real; };

_Static_assert(sizeof(long) == 4 && sizeof(void *) == 4, "sizes");
_Static_assert(sizeof(struct mixed) == 28, "layout");

int main(void)
{
    unsigned long x = 0;
    x--;
    check(x == 4294967295ul);
    check(sizeof(2147483648) == 8 && sizeof(x + 1) == 4);
    int cells[2] = { 1, 2 };
    int *p = cells;
    check((unsigned long)(p + 1) - (unsigned long)p == 4);
    return 0;
}
