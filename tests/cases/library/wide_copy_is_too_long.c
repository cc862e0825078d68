// property: memsafety
// truth: fails
// expect: refuted
#include <wchar.h>

int main(void)
{
    wchar_t small[4];
    wcsncpy(small, L"wide", 5);
    return 0;
}
