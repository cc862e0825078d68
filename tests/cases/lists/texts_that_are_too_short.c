// property: memsafety
// truth: fails
// expect: refuted
// Each cell owns a block of another size, some of no byte.
#include <stdlib.h>

unsigned char __VERIFIER_nondet_uchar(void);

struct word {
    struct word *next;
    char *letters;
};

int main(void) {
    struct word *words = 0;
    while (__VERIFIER_nondet_uchar()) {
        struct word *word = malloc(sizeof *word);
        word->letters = malloc(__VERIFIER_nondet_uchar());
        word->next = words;
        words = word;
    }
    while (words) {
        struct word *next = words->next;
        words->letters[0] = 0;
        free(words->letters);
        free(words);
        words = next;
    }
    return 0;
}
