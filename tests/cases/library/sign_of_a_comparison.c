// property: termination
// truth: holds
// expect: proved

#include <string.h>

int main(void)
{
    while (strcmp("apple", "pear") > 0) {
    }
    return 0;
}
