// property: memsafety
// truth: fails
// expect: refuted
// Digits are kept without a look at how many there is room for: what `isdigit` answers is only
// tested.
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    char digits[4];
    int n = 0;
    int c;
    while ((c = getchar()) != EOF) {
        if (!isdigit(c))
            continue;
        digits[n] = (char)c;
        n++;
    }
    if (isdigit(c) != 0 || ferror(stdin))
        return 1;
    return n > 0 ? digits[0] : 0;
}
