// property: termination
// truth: holds
// expect: proved
// Each function that a pointer may lead to counts down, and none of them calls another.
extern int next(void);

static int level = 100;

static void step(void) { level -= 1; }
static void leap(void) { level -= 10; }

struct rule {
    const char *name;
    void (*apply)(void);
};

static const struct rule rules[] = { { "step", step }, { "leap", leap } };

int main(void)
{
    while (level > 0) {
        int rule = next() & 1;
        rules[rule].apply();
    }
    return 0;
}
