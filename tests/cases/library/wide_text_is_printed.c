// property: memsafety
// truth: holds
// expect: proved
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    wchar_t text[4] = L"abc";
    wchar_t line[16];
    wprintf(L"%ls and %s: %d\n", text, "narrow", 3);
    swprintf(line, 16, L"%ls!", text);
    fputws(line, stdout);
    return 0;
}
