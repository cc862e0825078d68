// property: termination
// good: first->next = 0;
// bad: first->next = list;
// bad: first->next = first;
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
struct cell { int value; struct cell *next; };
int main(void)
{
    int n;
    struct cell *first = malloc(sizeof *first);
    struct cell *list = first;
    struct cell *p;
    first->value = 0;
    first->next = 0;
    for (n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct cell *cell = malloc(sizeof *cell);
        cell->value = 1;
        cell->next = list;
        list = cell;
    }
    HOLE
    p = list;
    while (p)
        p = p->next;
    return 0;
}
