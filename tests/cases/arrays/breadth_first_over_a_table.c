// property: memsafety
// truth: holds
// expect: proved
// why: rows start as zeros, and hold indices only; how many each has is never too large
int input(void);

enum { PLACES = 12 };
static int n_roads[PLACES], roads[PLACES][PLACES], seen[PLACES];

int main(void) {
    int open[PLACES], first = 0, last = 0;
    for (;;) {
        int from = input(), to = input();
        if (from < 0 || to < 0)
            break;
        if (from >= PLACES || to >= PLACES || n_roads[from] >= PLACES)
            continue;
        roads[from][n_roads[from]++] = to;
    }
    open[last++] = 0;
    seen[0] = 1;
    while (first < last) {
        int here = open[first++];
        for (int i = 0; i < n_roads[here]; i++) {
            int there = roads[here][i];
            if (!seen[there]) {
                seen[there] = 1;
                if (last < PLACES)
                    open[last++] = there;
            }
        }
    }
    return last;
}
