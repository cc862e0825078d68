/* Loops, switches, gotos, scopes. */
extern void reach_error(void);
#define check(c) if (!(c)) reach_error()

static int classify(int x)
{
    switch (x) {
    case 0:
        return 100;
    case 1:
    case 2:
        x += 10;
        break;
    case 5 ... 9:
        x = 50;
        /* falls through */
    case 10:
        x++;
        break;
    default:
        x = -1;
    }
    return x;
}

static int duff(int count)
{
    int done = 0, n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            done++;
    case 3:
            done++;
    case 2:
            done++;
    case 1:
            done++;
        } while (--n > 0);
    }
    return done;
}

static int jump_into(int enter)
{
    int total = 0, rounds = 0;
    if (enter)
        goto inside;
    for (;;) {
        int cell[2];
        cell[0] = 5;
inside:
        cell[1] = 7;
        total += cell[1];
        if (++rounds == 3)
            goto out;
    }
out:
    return total;
}

static int nested(void)
{
    int found = -1;
    for (int i = 0; i < 10; i++) {
        int j = 0;
        while (1) {
            int probe[1] = { i * j };
            if (probe[0] == 42) {
                found = i * 100 + j;
                goto done;
            }
            if (j++ > 8)
                break;
            if (j % 2)
                continue;
        }
    }
done:
    return found;
}

static int early(int x)
{
    char buffer[8];
    buffer[0] = (char)x;
    if (x > 3) {
        int more[2] = { x, x };
        return more[0] + more[1];
    }
    return buffer[0];
}

static int counter(void)
{
    static int calls;
    static int limit = 7;
    if (calls < limit)
        calls++;
    return calls;
}

int main(void)
{
    check(classify(0) == 100);
    check(classify(1) == 11 && classify(2) == 12);
    check(classify(7) == 51 && classify(10) == 11 && classify(11) == -1);
    check(duff(1) == 1 && duff(4) == 4 && duff(11) == 11);
    check(jump_into(0) == 21 && jump_into(1) == 21);
    check(nested() == 607);
    check(early(1) == 1 && early(5) == 10);
    for (int i = 0; i < 20; i++)
        counter();
    check(counter() == 7);
    int i = 0, seen = 0;
    do {
        if (i == 2)
            continue;
        seen += i;
    } while (++i < 5);
    check(seen == 0 + 1 + 3 + 4);
    int typed = 0;
    { typedef int typed_t; typed_t inner = 4; typed = inner; }
    check(typed == 4);
    i = 3;
    { int i = 9; { int i = 11; check(i == 11); } check(i == 9); }
    check(i == 3);
    int value = ({ int t = 4; t * t; });
    check(value == 16);
    struct pair { int a, b; } pair = ({ struct pair p = { 1, 2 }; p; });
    check(pair.a == 1 && pair.b == 2);
    return 0;
}
