// property: memsafety
// truth: holds
// expect: unknown(W003)
// why: `scanf` ends a word at a blank; runs know that, proofs do not
#include <stdio.h>

int main(void) {
    char word[8];
    int found[1] = { 0 };
    if (scanf("%7s", word) != 1)
        return 0;
    for (int i = 0; word[i] != '\0'; i++)
        if (word[i] == ' ')
            found[i + 1] = i;
    return found[0];
}
