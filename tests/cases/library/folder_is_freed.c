// property: memsafety
// truth: fails
// expect: refuted

#include <dirent.h>
#include <stdlib.h>

int main(void)
{
    free(opendir("."));
    return 0;
}
