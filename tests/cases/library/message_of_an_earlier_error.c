// property: memsafety
// truth: fails
// expect: unknown(W002)
// The text of an error may be gone when the next one is asked for.
#include <string.h>
int main(void)
{
    char *one = strerror(9999);
    char *other = strerror(8888);
    return (int)strlen(one) + (int)strlen(other);
}
