// property: termination
// truth: holds
// expect: proved
// The table is no table of zeros: a loop makes its elements null.
#include <stdlib.h>

#define SLOTS 12

struct entry {
    int key;
    struct entry *next;
};

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    struct entry *slots[SLOTS];
    for (int i = 0; i < SLOTS; i++)
        slots[i] = NULL;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        unsigned key = (unsigned)__VERIFIER_nondet_int();
        struct entry *entry = malloc(sizeof *entry);
        if (entry == NULL)
            break;
        entry->key = (int)(key % 100);
        entry->next = slots[key % SLOTS];
        slots[key % SLOTS] = entry;
    }
    for (int i = 0; i < SLOTS; i++) {
        while (slots[i] != NULL) {
            struct entry *entry = slots[i];
            slots[i] = entry->next;
            free(entry);
        }
    }
    return 0;
}
