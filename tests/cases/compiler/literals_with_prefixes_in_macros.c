// property: reach
// truth: holds
// expect: proved

/* What a macro brings along stays one token: prefixed literals, `.5`, digraphs. */
extern void reach_error(void);
#define WORD L"abc"
#define LETTER L'b'
#define HALF .5
#define AT(i) <:i:>
#define LESS(a, b) ((a)<(b))

int main(void)
{
    __WCHAR_TYPE__ w[] = WORD;
    if (w AT(1) != LETTER || sizeof w != 4 * sizeof *w || !LESS(HALF,.75))
        reach_error();
    return 0;
}
