// property: memsafety
// truth: holds
// expect: proved
// why: nothing is accessed where only a size or an address is asked for
#include <stddef.h>
struct s { int n; char text[8]; int last; };
int main(void) {
    struct s s = { 0 };
    unsigned long a = sizeof(s.text[20]) + offsetof(struct s, last) + sizeof(((struct s *)0)->text[9]);
    char *end = &s.text[8];
    char *p = s.text + 8;
    return (int)(a + (end - p));
}
