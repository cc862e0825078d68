// property: memsafety
// truth: fails
// expect: unknown(W020)
// options: --entry use
// A name makes no new memory.
struct pool {
    int left;
};

void *pool_dealloc(struct pool *pool, unsigned long size);

int use(struct pool *pool) {
    int *first = pool_dealloc(pool, 64);
    first[0] = pool->left;
    return first[0];
}
