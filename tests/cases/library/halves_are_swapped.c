// property: memsafety
// truth: holds
// expect: proved

#include <string.h>

int main(void)
{
    char all[8] = "abcdefg";
    char half[4];
    memcpy(half, all, 4);
    memcpy(all, all + 4, 4);
    memcpy(all + 4, half, 4);
    return all[3];
}
