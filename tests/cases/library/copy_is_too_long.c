// property: memsafety
// truth: fails
// expect: refuted

#include <string.h>

int main(void)
{
    char room[4];
    strcpy(room, "four");
    return room[0];
}
