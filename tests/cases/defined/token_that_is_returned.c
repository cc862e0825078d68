// property: termination
// truth: holds
// expect: proved
// options: --entry sum
// The token comes back in a structure, with what was left of the text.
struct token {
    int kind;
    int value;
};

struct input {
    int at;
    int length;
};

static struct token next(struct input *input)
{
    struct token token = {0, 0};
    if (input->at < input->length) {
        token.kind = 1;
        token.value = input->at++;
    }
    return token;
}

int sum(int length)
{
    struct input input = {0, length};
    int all = 0;
    for (;;) {
        struct token token = next(&input);
        if (token.kind == 0)
            return all;
        all ^= token.value;
    }
}
