// property: memsafety
// truth: fails
// expect: refuted
// The closing bracket is passed without a look at it.
static const char *at;

static int depth(void) {
    int value = 0;
    if (*at == '[') {
        at++;
        value = 1 + depth();
        at++;
    }
    return value;
}

int main(void) {
    char line[4] = "[[[";
    at = line;
    int found = depth();
    return found + *at;
}
