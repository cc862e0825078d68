// property: memsafety
// truth: holds
// expect: proved

#include <stdio.h>

int main(void)
{
    char line[80];
    FILE *file = fopen("names", "r");
    if (!file)
        return 1;
    while (fgets(line, sizeof line, file))
        fputs(line, stdout);
    fclose(file);
    return 0;
}
