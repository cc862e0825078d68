// property: spec
// spec: examples/specs/irql.slic
// truth: fails
// expect: refuted
int nondet(void);
static int now;

static int current_level(void) { return now; }
static void raise_level(int level, int *old) { *old = now; now = level; }
static void lower_level(int level) { now = level; }

struct request { struct request *next; };

int main(void) {
    struct request last = {0}, first = {&last};
    int old;
    for (struct request *p = &first; p; p = p->next) {
        raise_level(2, &old);
        if (nondet())
            lower_level(old);
    }
    return 0;
}
