// property: termination
// truth: holds
// expect: proved
// why: only the loops of `strlen` and `strchr` were never seen to be left; these are the library's
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *encode(const unsigned char *in, size_t n) {
    char *out = malloc((n + 2) / 3 * 4 + 1), *p = out;
    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        unsigned long v = (unsigned long)in[i] << 16;
        if (left > 1)
            v |= (unsigned long)in[i + 1] << 8;
        *p++ = (char)('a' + (v >> 18));
        *p++ = left > 1 ? 'b' : '=';
    }
    *p = '\0';
    return out;
}

static int place(char c) {
    const char *hit;
    if (c == '\0' || (hit = strchr("abcdefgh", c)) == NULL)
        return -1;
    return (int)(hit - "abcdefgh");
}

static long decode(const char *text) {
    size_t n = strlen(text);
    long sum = 0;
    while (n > 0 && text[n - 1] == '=')
        n--;
    for (size_t i = 0; i < n; i++) {
        int v = place(text[i]);
        if (v < 0)
            return -1;
        sum = (sum << 3 | v) & 0xffffff;
    }
    return sum;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--decode") == 0) {
        printf("%ld\n", decode(argv[2]));
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "--encode") == 0) {
        char *text = encode((const unsigned char *)argv[2], strlen(argv[2]));
        if (text != NULL)
            puts(text);
        free(text);
        return 0;
    }
    return 2;
}
