// property: memsafety
// truth: fails
// expect: refuted
// Of two bytes of input, the first half of the number is written.
#include <stdio.h>

int main(void) {
    int table[4] = { 0 };
    int i = 0;
    if (fread(&i, 4, 1, stdin) != 1)
        return table[i];
    return 0;
}
