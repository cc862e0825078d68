// property: memsafety
// truth: fails
// expect: refuted

#include <stdio.h>

int main(void)
{
    FILE *log = fopen("log", "w");
    if (!log)
        return 1;
    fclose(log);
    fclose(log);
    return 0;
}
