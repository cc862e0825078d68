// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry visit
// A function whose address the file takes may be the one that a pointer leads to: itself, here.
struct visitor {
    int (*visit)(struct visitor *visitor, int depth);
};

int visit(struct visitor *visitor, int depth)
{
    return visitor->visit(visitor, depth + 1);
}

void set_up(struct visitor *visitor)
{
    visitor->visit = visit;
}
