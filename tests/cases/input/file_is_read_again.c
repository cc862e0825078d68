// property: termination
// truth: fails
// expect: refuted

#include <stdio.h>

int main(void)
{
    int c;
    FILE *file = fopen("names", "r");
    if (!file)
        return 1;
    while ((c = getc(file)) != EOF)
        rewind(file);
    fclose(file);
    return 0;
}
