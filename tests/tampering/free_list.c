// property: memsafety
// good: list = next;
// bad: list = next ? next->next : 0;
// bad: list = next; if (next) free(next);
// bad: list = 0;
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
struct cell { int value; struct cell *next; };
int main(void)
{
    struct cell *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        cell->value = 1;
        cell->next = list;
        list = cell;
    }
    while (list) {
        struct cell *next = list->next;
        free(list);
        HOLE
    }
    return 0;
}
