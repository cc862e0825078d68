// property: termination
// truth: holds
// expect: proved
// An escape that is not known is passed over.
#include <stdio.h>
#include <string.h>

static size_t unescape(const char *in, char *out, size_t size)
{
    size_t i = 0, n = 0;
    while (in[i] != '\0' && n + 1 < size) {
        if (in[i] == '\\') {
            switch (in[i + 1]) {
            case 'n': out[n++] = '\n'; i += 2; break;
            case 't': out[n++] = '\t'; i += 2; break;
            case '\0': i++; break;
            default: i++; break;
            }
        } else {
            out[n++] = in[i++];
        }
    }
    out[n] = '\0';
    return n;
}

int main(void)
{
    char line[100], out[100];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    printf("%zu\n", unescape(line, out, sizeof out));
    return 0;
}
