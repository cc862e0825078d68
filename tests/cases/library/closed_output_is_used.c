// property: memsafety
// truth: fails
// expect: refuted

#include <stdio.h>

int main(void)
{
    fclose(stdout);
    puts("too late");
    return 0;
}
