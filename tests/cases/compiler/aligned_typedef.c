// property: termination
// truth: fails
// expect: refuted
// A typedef name may have an alignment of its own.
#include <stddef.h>

typedef int wide __attribute__((aligned(16)));
typedef int narrow __attribute__((aligned(1)));

struct outer {
    char tag;
    wide value;
    char mark;
    narrow last;
};

int main(void)
{
    while (offsetof(struct outer, value) == 16 && offsetof(struct outer, last) == 21)
        ;
    return 0;
}
