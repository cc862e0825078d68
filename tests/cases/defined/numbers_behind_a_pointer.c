// property: termination
// truth: holds
// expect: proved
// options: --entry drain
// What a loop counts lies in a structure that comes in, beside an array that it writes to.
struct stack {
    int top;
    int items[16];
    unsigned char used[16];
};

static int pop(struct stack *stack)
{
    stack->top--;
    stack->used[stack->top] = 0;
    return stack->items[stack->top];
}

int drain(struct stack *stack)
{
    int sum = 0;
    while (stack->top > 0)
        sum = sum / 2 + pop(stack) / 2;
    return sum;
}
