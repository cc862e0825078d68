// property: memsafety
// truth: holds
// expect: proved
// Each cell owns a block of another size.
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
        word->letters = malloc(1 + __VERIFIER_nondet_uchar());
        word->letters[0] = 0;
        word->next = words;
        words = word;
    }
    while (words) {
        struct word *next = words->next;
        free(words->letters);
        free(words);
        words = next;
    }
    return 0;
}
