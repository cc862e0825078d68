// property: memsafety
// truth: holds
// expect: proved
#include <stdio.h>

int main(void) {
    char text[3];
    sprintf(text, "ab\0cd");
    return text[0];
}
