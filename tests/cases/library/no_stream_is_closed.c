// property: memsafety
// truth: fails
// expect: refuted

#include <stdio.h>

int main(void)
{
    FILE *settings = fopen("settings", "r");
    fclose(settings);
    return 0;
}
