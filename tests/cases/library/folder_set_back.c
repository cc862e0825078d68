// property: termination
// truth: fails
// expect: unknown(W020)
// A function without body may set back the folder that it is handed.
#include <dirent.h>

void look_at(DIR *folder);

int main(void)
{
    DIR *folder = opendir(".");
    if (!folder)
        return 1;
    while (readdir(folder))
        look_at(folder);
    closedir(folder);
    return 0;
}
