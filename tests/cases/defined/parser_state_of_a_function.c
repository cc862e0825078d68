// property: termination
// truth: holds
// expect: proved
// options: --entry letters
// Only this function and its helper see the state.
struct reader {
    const char *at;
    int left;
};

static int next(struct reader *reader)
{
    if (reader->left <= 0)
        return -1;
    reader->left--;
    return (unsigned char)*reader->at++;
}

int letters(const char *text, int length)
{
    struct reader reader = {text, length};
    int n = 0;
    for (int c; (c = next(&reader)) >= 0;)
        n += c >= 'a' && c <= 'z';
    return n;
}
