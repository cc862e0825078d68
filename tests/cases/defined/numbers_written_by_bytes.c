// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry drain
// The number that a loop counts is also written as bytes.
struct stack {
    int top;
};

static void fill(char *bytes, int n)
{
    for (int i = 0; i < n; i++)
        bytes[i] = 1;
}

void drain(struct stack *stack)
{
    while (stack->top > 0) {
        stack->top--;
        fill((char *)stack, (int)sizeof stack->top);
    }
}
