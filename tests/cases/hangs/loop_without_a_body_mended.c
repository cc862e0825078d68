// property: termination
// truth: holds
// expect: proved
// The spaces are passed over.
#include <stdio.h>

struct pair {
    char key[16];
    char value[16];
};

static const char *skip_spaces(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

static const char *read_word(const char *at, char *word)
{
    int length = 0;
    at = skip_spaces(at);
    while (*at != '\0' && *at != ' ' && *at != '\n') {
        if (length < 15)
            word[length++] = *at;
        at++;
    }
    word[length] = '\0';
    return at;
}

int main(void)
{
    char line[64];
    struct pair pair;
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    const char *rest = read_word(line, pair.key);
    read_word(rest, pair.value);
    printf("%s=%s\n", pair.key, pair.value);
    return 0;
}
