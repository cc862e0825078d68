/* Functions of the library that are known. */
#include <string.h>
#include <stdlib.h>
#include <assert.h>
#include <stdio.h>
extern void reach_error(void);
#define check(c) if (!(c)) reach_error()

static int compare(const char *a, const char *b) { int c = strcmp(a, b); return c < 0 ? -1 : c > 0; }

int main(void)
{
    char buffer[32];
    check(strlen("hello") == 5 && strlen("") == 0);
    strcpy(buffer, "abc");
    strcat(buffer, "def");
    check(strlen(buffer) == 6 && buffer[5] == 'f');
    check(compare("abc", "abd") == -1 && compare("b", "abc") == 1 && compare("x", "x") == 0);
    check(compare("ab", "abc") == -1);
    check(strncmp("abcx", "abcy", 3) == 0 && strncmp("abcx", "abcy", 4) < 0);
    check(strchr(buffer, 'd') == buffer + 3 && strchr(buffer, 'z') == NULL);
    check(strrchr("a/b/c", '/')[1] == 'c');
    check(strcmp(strstr("needle in hay", "in"), "in hay") == 0);
    strncpy(buffer, "xy", 4);
    check(buffer[1] == 'y' && buffer[2] == 0 && buffer[3] == 0 && buffer[4] == 'e');
    check(memcmp("abc", "abd", 2) == 0 && memcmp("abc", "abd", 3) < 0);
    memmove(buffer + 1, buffer, 2);
    check(buffer[0] == 'x' && buffer[1] == 'x' && buffer[2] == 'y');
    char *copy = strdup("dup");
    check(strcmp(copy, "dup") == 0);
    free(copy);
    check(abs(-4) == 4 && labs(5L) == 5);
    assert(sizeof(buffer) == 32);
    int *cell = realloc(NULL, sizeof(int));
    *cell = 3;
    check(*cell == 3);
    free(cell);
    printf("%d %s\n", 3, buffer);
    return 0;
}
