// property: memsafety
// truth: fails
// expect: unknown(W003)
#include <stdio.h>
#include <wchar.h>

int main(void) {
    char text[4];
    sprintf(text, "%ls", L"abcdef");
    return 0;
}
