// property: termination
// truth: fails
// expect: refuted
// At the end of the file nothing is read, and the block is never full.
#include <stdio.h>

#define BLOCK 512

struct block {
    unsigned char bytes[BLOCK];
    size_t filled;
};

static int fill(struct block *block, FILE *file)
{
    block->filled = 0;
    while (block->filled < BLOCK) {
        size_t n = fread(block->bytes + block->filled, 1, BLOCK - block->filled, file);
        block->filled += n;
    }
    return 1;
}

int main(int argc, char **argv)
{
    struct block block;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL)
        return 1;
    if (fill(&block, file))
        printf("%u\n", block.bytes[0]);
    fclose(file);
    return 0;
}
