// property: memsafety
// truth: fails
// expect: refuted

#include <dirent.h>

int main(void)
{
    DIR *folder = opendir(".");
    if (!folder)
        return 1;
    folder = 0;
    return folder != 0;
}
