// property: termination
// truth: holds
// expect: proved
#include <stdio.h>

static int field(char *into, int size) {
    int n = 0, c = getchar();
    if (c == EOF)
        return -1;
    if (c == '"') {
        while ((c = getchar()) != '"' && c != EOF)
            if (n < size - 1)
                into[n++] = (char)c;
        c = getchar();
    } else {
        while (c != ',' && c != '\n' && c != EOF) {
            if (n < size - 1)
                into[n++] = (char)c;
            c = getchar();
        }
    }
    into[n] = '\0';
    return c;
}

int main(void) {
    char text[16];
    int n_fields = 0;
    while (field(text, sizeof text) >= 0)
        if (n_fields < 1000)
            n_fields++;
    return n_fields;
}
