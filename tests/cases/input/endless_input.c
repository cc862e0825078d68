// property: termination
// truth: fails
// expect: refuted
// options: --endless-input

#include <stdio.h>

int main(void)
{
    int n_characters = 0;
    while (getchar() != EOF)
        n_characters = 1;
    return n_characters;
}
