// property: memsafety
// truth: holds
// expect: proved
// why: no object is so large that twice its size wraps around
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    size_t length = 0, room = 0;
    char *text = NULL;
    int c;
    while ((c = getchar()) != EOF) {
        if (length + 1 >= room) {
            size_t more = room ? room * 2 : 16;
            char *longer = realloc(text, more);
            if (longer == NULL) {
                free(text);
                return 1;
            }
            text = longer;
            room = more;
        }
        text[length++] = (char)c;
    }
    if (text != NULL) {
        text[length] = 0;
        fputs(text, stdout);
    }
    free(text);
    return 0;
}
