// property: termination
// truth: holds
// expect: proved
// why: only what ends strings was never seen to leave its loop; that is the library's
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
    const char *hit = c == '\0' ? NULL : strchr("abcdefgh", c);
    return hit == NULL ? -1 : (int)(hit - "abcdefgh");
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    if (strcmp(argv[1], "-e") == 0) {
        char *text = encode((const unsigned char *)argv[2], strlen(argv[2]));
        if (text != NULL)
            printf("%s %d\n", text, place(text[0]));
        free(text);
    }
    return 0;
}
