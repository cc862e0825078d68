// property: memsafety
// truth: fails
// expect: refuted

#include <dirent.h>

int main(void)
{
    DIR *folder = opendir(".");
    if (!folder)
        return 1;
    struct dirent *entry = readdir(folder);
    closedir(folder);
    return entry ? entry->d_name[0] : 0;
}
