// property: memsafety
// truth: fails
// expect: refuted

#include <string.h>

int main(void)
{
    char *message = strerror(1);
    message[0] = 'x';
    return 0;
}
