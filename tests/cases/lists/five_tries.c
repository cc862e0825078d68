// property: termination
// truth: holds
// expect: proved
// At most five letters come in. What is written to before each is freed was allocated for it, but
// only a look at each single list tells that.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct letter {
    int stamp;
    struct letter *next;
};

int main(void) {
    struct letter *letters = NULL;
    for (int i = 0; i < 5; i++) {
        int stamp = __VERIFIER_nondet_int();
        if (stamp != 7) {
            struct letter *letter = malloc(sizeof *letter);
            letter->stamp = stamp;
            letter->next = letters;
            letters = letter;
        }
    }
    int *answer = NULL;
    while (letters != NULL) {
        if (letters->stamp != 7)
            answer = malloc(sizeof *answer);
        *answer = 1;
        free(answer);
        answer = NULL;
        struct letter *next = letters->next;
        free(letters);
        letters = next;
    }
    return 0;
}
