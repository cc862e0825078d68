// property: memsafety
// truth: fails
// expect: refuted

#include <string.h>

int main(void)
{
    char word[2] = { 'o', 'k' };
    return (int)strlen(word);
}
