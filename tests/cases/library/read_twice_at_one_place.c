// property: reach
// truth: holds
// expect: unknown(W012)
// The file is the program's own, and what lies at its start is there both times.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    char first = 0, second = 0;
    int file = open("own", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, "x", 1) != 1)
        return 0;
    if (pread(file, &first, 1, 0) == 1 && pread(file, &second, 1, 0) == 1)
        assert(first == second);
    return 0;
}
