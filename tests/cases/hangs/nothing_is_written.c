// property: termination
// truth: fails
// expect: refuted
// If nothing is written, it is tried again.
#include <stdio.h>

static size_t send_all(const char *data, size_t size)
{
    size_t sent = 0;
    while (sent < size) {
        size_t n = fwrite(data + sent, 1, size - sent, stdout);
        if (ferror(stdout))
            clearerr(stdout);
        sent += n;
    }
    return sent;
}

int main(void)
{
    char data[40];
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (char)('a' + i % 26);
    return send_all(data, sizeof data) != sizeof data;
}
