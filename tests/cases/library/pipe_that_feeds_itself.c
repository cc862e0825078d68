// property: termination
// truth: fails
// expect: unknown(W030)
// Each byte that is read from the pipe is written to it again.
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int ends[2];
    char byte = 'a';
    int c;
    FILE *from;
    if (pipe(ends))
        return 0;
    from = fdopen(ends[0], "r");
    if (!from || write(ends[1], &byte, 1) != 1)
        return 0;
    while ((c = fgetc(from)) != EOF) {
        byte = c;
        if (write(ends[1], &byte, 1) != 1)
            break;
    }
    return 0;
}
