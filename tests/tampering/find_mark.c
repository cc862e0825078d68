// property: memsafety
// good: last->value = 0;
// bad: last->value = 2;
// bad: last->value = __VERIFIER_nondet_int();
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
struct cell { int value; struct cell *next; };
int main(void)
{
    struct cell *last = malloc(sizeof *last);
    struct cell *list = last;
    HOLE
    last->next = 0;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        cell->value = 1;
        cell->next = list;
        list = cell;
    }
    while (list->value != 0) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    free(list);
    return 0;
}
