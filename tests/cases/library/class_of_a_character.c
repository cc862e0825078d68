// property: termination
// truth: holds
// expect: proved

#include <ctype.h>

int main(void)
{
    int c = 'f';
    while (ispunct(c) || !isxdigit(c)) {
    }
    return toupper(c);
}
