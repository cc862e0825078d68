/* Values that are read before something changes them. */
extern void reach_error(void);
#define check(c) if (!(c)) reach_error()

static int global = 1;
static int bump(void) { return ++global; }
static int three(int a, int b, int c) { return a * 100 + b * 10 + c; }

struct cell { int value; struct cell *next; };

int main(void)
{
    int x = 1, y;
    y = x++ + 10;
    check(x == 2 && y == 11);
    y = x-- * 10 + 1;
    check(x == 1 && y == 21);
    int before = global, after = (bump(), global);
    check(before == 1 && after == 2);
    int a[4] = { 0, 1, 2, 3 }, i = 0, *p = a;
    a[i] = bump();
    check(a[0] == 3);
    *p++ = 7;
    check(a[0] == 7 && *p == 1 && *++p == 2 && p[1]-- == 3 && p[1] == 2);
    i = 2;
    a[i] += i;
    check(a[2] == 4);
    y = i ? (i = 5, i + 1) : 0;
    check(y == 6 && i == 5);
    y = ({ int t = i; i = 9; t; });
    y += ({ int t = i; t; });
    check(y == 14);
    check(three(i = 1, 2, 3) == 123);
    struct cell second = { 2, 0 }, first = { 1, &second }, *walk = &first;
    int sum = 0;
    while (walk) {
        struct cell *here = walk;
        walk = walk->next, sum += here->value;
    }
    check(sum == 3);
    y = x = 4;
    check(y == 4 && x == 4);
    unsigned char c = 250;
    int r = c += 10;
    check(r == 4 && c == 4);
    check((c = 300) == 44);
    return 0;
}
