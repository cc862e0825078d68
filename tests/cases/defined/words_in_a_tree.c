// property: termination
// options: --entry find
// truth: holds
// expect: proved
// Which way down is taken depends on texts of which nothing is known.
#include <string.h>

struct word {
    struct word *before;
    struct word *after;
    const char *spelling;
};

struct dictionary {
    struct word *middle;
};

struct word *find(struct dictionary *dictionary, const char *spelling) {
    struct word *word = dictionary->middle;
    while (word) {
        int order = strcmp(spelling, word->spelling);
        if (order < 0)
            word = word->before;
        else if (order > 0)
            word = word->after;
        else
            return word;
    }
    return 0;
}
