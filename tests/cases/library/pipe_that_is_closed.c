// property: termination
// truth: holds
// expect: unknown(W030)
// One byte is in the pipe, and nobody can write another one.
#include <unistd.h>

int main(void)
{
    int ends[2];
    char byte = 'x';
    if (pipe(ends))
        return 1;
    write(ends[1], &byte, 1);
    close(ends[1]);
    while (read(ends[0], &byte, 1) == 1)
        ;
    return 0;
}
