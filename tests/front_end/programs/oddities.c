/* Old and rare forms. */
extern void reach_error();
#define check(c) if (!(c)) reach_error()

typedef int T;
typedef struct T2 { T T; } U;

old_style(a, b, c) int a; char b; { return a + b + c; }

static inherited;
int implicit() { return inherited + later(3); }
int later(x) { return x + 1; }

int f(int (T));
int apply(int (*g)(int), int x) { return g(x); }
int f(int (*g)(int)) { return g(20); }
static int plus(int x) { return x + 1; }

struct packed { char c; int i; } __attribute__((packed));
struct aligned { char c __attribute__((aligned(8))); char d; };
union u { char bytes[8]; long number; };

_Static_assert(sizeof(struct packed) == 5, "packed");
_Static_assert(sizeof(struct aligned) == 8, "aligned");

int (*select_function(int which))(int) { return which ? plus : later; }

static int sum(int n, ...) { return n; }

int main()
{
    check(old_style(1, 2, 3) == 6);
    check(implicit() == 4);
    { T T = 4; check(T == 4); T = T + 1; check(T == 5); }
    U u = { 7 };
    check(u.T == 7);
    check(f(plus) == 21 && apply(&plus, 2) == 3 && apply(*plus, 3) == 4);
    check(select_function(1)(5) == 6 && select_function(0)(5) == 6);
    check(sum(2, 3, 4) == 2);
    __auto_type guessed = 3L;
    check(sizeof guessed == sizeof(long));
    typeof(guessed + 1) other = 4;
    check(other == 4);
    check(__builtin_types_compatible_p(typeof(other), long));
    check(_Generic(1, long: 0, int: 1, default: 2) == 1);
    check(__builtin_choose_expr(1, 5, "no") == 5);
    check(__builtin_expect(3, 0) == 3);
    check(_Alignof(int) == 4 && __alignof__(char) == 1);
    union u both = { .number = 0x41 };
    check(both.bytes[0] == 'A' && both.bytes[1] == 0);
    int swapped[2] = { 1, 2 };
    check(1[swapped] == 2 && *(swapped + 1) == 2);
    int long unsigned mixed = 3;
    int typedef Word;
    Word w = 9;
    check(mixed + w == 12);
    struct { int : 4; struct { int deep; }; int rest[]; } *anonymous = 0;
    check(sizeof(*anonymous) == 8);
    check(sizeof(struct { char a; short b; char c; }) == 6);
    int twelve = 12;
    check(({ int twelve = 1; twelve; }) + twelve == 13);
    if (0) label: check(0);
    goto skip;
skip:
    ;
    extern int plain;
    check(plain == 6);
    return 0;
}
int plain = 6;
