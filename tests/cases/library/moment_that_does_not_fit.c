// property: memsafety
// truth: fails
// expect: unknown(W003)
// The buffer is not a string then.
#include <string.h>
#include <time.h>

int main(void) {
    struct tm moment = { 0 };
    char year[4] = { 'a', 'b', 'c', 'd' };
    if (strftime(year, 4, "%Y", &moment) == 0)
        return strlen(year) > 2;
    return 0;
}
