// property: memsafety
// good: new->next = shelf[k]; shelf[k] = new;
// bad: new->next = 0; shelf[k] = new;
// bad: new->next = shelf[k]; shelf[k] = new; shelf[k & 1] = new;
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
struct item { struct item *next; };
static struct item *shelf[4];
int main(void)
{
    while (__VERIFIER_nondet_int()) {
        unsigned k = (unsigned)__VERIFIER_nondet_int() % 4;
        struct item *new = malloc(sizeof *new);
        HOLE
    }
    for (int i = 0; i < 4; i++)
        while (shelf[i]) {
            struct item *first = shelf[i];
            shelf[i] = first->next;
            free(first);
        }
    return 0;
}
