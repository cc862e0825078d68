// property: termination
// truth: fails
// expect: refuted
// Nearly all errors are tried again.
#include <stdio.h>
#include <unistd.h>
#include <errno.h>

static ssize_t write_all(int fd, const char *data, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = write(fd, data + done, size - done);
        if (n < 0) {
            if (errno != ENOSPC)
                continue;
            return -1;
        }
        done += (size_t)n;
    }
    return (ssize_t)done;
}

int main(void)
{
    char text[64];
    for (int i = 0; i < 64; i++)
        text[i] = 'a';
    return write_all(1, text, sizeof text) != 64;
}
