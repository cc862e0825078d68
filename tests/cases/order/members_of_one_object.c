// property: termination
// truth: fails
// expect: unknown(W009)
// No run in which the two are one object is evidence: that is undefined.
struct cursor { int at; };

static int pick(struct cursor *one, struct cursor *other) { return one->at++ - other->at++; }

int main(void)
{
    struct cursor cursor = { 0 };
    while (pick(&cursor, &cursor) == 0 || 1) { }
    return 0;
}
