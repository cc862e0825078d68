// property: termination
// truth: fails
// expect: unknown(W030)

#include <unistd.h>

int main(void)
{
    int ends[2];
    char byte = 'x';
    if (pipe(ends))
        return 1;
    write(ends[1], &byte, 1);
    while (read(ends[0], &byte, 1) == 1)
        write(ends[1], &byte, 1);
    return 0;
}
