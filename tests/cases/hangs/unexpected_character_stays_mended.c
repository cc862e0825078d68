// property: termination
// truth: holds
// expect: proved
// A character that means nothing is passed over.
#include <stdio.h>

struct parser {
    const char *at;
    int depth, deepest;
};

static void parse(struct parser *parser)
{
    while (*parser->at != '\0') {
        switch (*parser->at) {
        case '(':
            parser->depth++;
            if (parser->depth > parser->deepest)
                parser->deepest = parser->depth;
            parser->at++;
            break;
        case ')':
            parser->depth--;
            parser->at++;
            break;
        case ' ':
            parser->at++;
            break;
        default:
            parser->at++;
            break;
        }
    }
}

int main(void)
{
    char line[128];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    struct parser parser = { line, 0, 0 };
    parse(&parser);
    printf("%d\n", parser.deepest);
    return 0;
}
