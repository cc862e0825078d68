// property: memsafety
// truth: fails
// expect: refuted

#include <wchar.h>

int main(void)
{
    wchar_t text[3] = {L'a', L'b', L'c'};
    wprintf(L"%ls\n", text);
    return 0;
}
