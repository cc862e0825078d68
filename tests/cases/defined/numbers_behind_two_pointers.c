// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry drain
// The number that a loop counts is also written by its address.
struct stack {
    int top;
    int other;
};

static void put(int *place)
{
    *place = 9;
}

void drain(struct stack *stack)
{
    while (stack->top > 0) {
        stack->top--;
        put(&stack->other);
        put(&stack->top);
    }
}
