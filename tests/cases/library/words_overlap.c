// property: memsafety
// truth: fails
// expect: unknown(W009)

#include <string.h>

int main(void)
{
    char words[16] = "one two";
    memcpy(words + 2, words, 6);
    return words[0];
}
