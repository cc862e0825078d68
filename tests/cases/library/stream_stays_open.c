// property: memsafety
// truth: holds
// expect: proved

#include <stdio.h>

int main(void)
{
    FILE *log = fopen("log", "w");
    if (!log)
        return 1;
    fprintf(log, "%d%%\n", 5);
    return 0;
}
