// property: termination
// truth: holds
// expect: proved
// The loop goes on while there are two.
#include <stdio.h>

struct samples {
    unsigned count;
    int left[32], right[32];
};

static int loudest(const struct samples *samples)
{
    int most = 0;
    for (unsigned i = samples->count; i >= 2; i -= 2) {
        unsigned at = i / 2;
        if (at < 32 && samples->left[at] > most)
            most = samples->left[at];
        if (at < 32 && samples->right[at] > most)
            most = samples->right[at];
    }
    return most;
}

int main(void)
{
    struct samples samples = { .count = 0 };
    int value;
    while (samples.count < 64 && scanf("%d", &value) == 1) {
        if (samples.count % 2 == 0)
            samples.left[samples.count / 2] = value;
        else
            samples.right[samples.count / 2] = value;
        samples.count++;
    }
    printf("%d\n", loudest(&samples));
    return 0;
}
