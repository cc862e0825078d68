// property: reach
// truth: holds
// expect: proved

/* GNU C: a literal stands for its list, of an array and of a structure inside of one. */
extern void reach_error(void);
struct pair { int first, second; };
static int t[3] = (int[3]){1, 2, 3};
static char s[] = (char[]){"ab"};
static struct pair pairs[] = {(struct pair){4, 5}, [2] = (struct pair){.second = 6}};
static struct { struct pair pair; int list[2]; } both = {(struct pair){7}, (int[2]){8, 9}};

int main(void)
{
    static int own[] = (int[]){10, 11};
    if (t[0] != 1 || t[2] != 3 || sizeof s != 3 || s[1] != 'b' || s[2] != 0)
        reach_error();
    if (sizeof pairs != 3 * sizeof(struct pair) || pairs[0].second != 5 || pairs[1].first != 0)
        reach_error();
    if (pairs[2].first != 0 || pairs[2].second != 6 || both.pair.first != 7)
        reach_error();
    if (both.pair.second != 0 || both.list[1] != 9 || own[1] != 11)
        reach_error();
    return 0;
}
