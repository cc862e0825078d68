// property: termination
// truth: fails
// expect: refuted
// A short never reaches 40000.
#include <stdio.h>
#include <string.h>

struct listing {
    int n_lines;
    int longest;
};

static int width_of(int line)
{
    return line % 10 == 0 ? 72 : 40;
}

static void measure(struct listing *listing)
{
    short line;
    listing->longest = 0;
    for (line = 1; line <= listing->n_lines; line++) {
        int width = width_of(line);
        if (width > listing->longest)
            listing->longest = width;
    }
}

int main(void)
{
    struct listing listing;
    memset(&listing, 0, sizeof listing);
    if (scanf("%d", &listing.n_lines) != 1 || listing.n_lines > 1000000)
        return 1;
    measure(&listing);
    printf("%d columns\n", listing.longest);
    return 0;
}
