// property: termination
// truth: holds
// expect: proved
// options: --entry copy
// Nothing orders the two changes; of one object they would be undefined.
struct cursor { char *at, *end; };

void copy(struct cursor *to, struct cursor *from, int n)
{
    while (n-- > 0)
        *to->at++ = *from->at++;
}
