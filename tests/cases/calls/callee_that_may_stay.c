// property: termination
// truth: fails
// expect: refuted
// One of the functions that the pointer may lead to leaves the number as it is.
extern int next(void);

static int level = 100;

static void step(void) { level -= 1; }
static void wait(void) { }

static void (*const rules[])(void) = { step, wait };

int main(void)
{
    while (level > 0)
        rules[next() & 1]();
    return 0;
}
