// property: termination
// truth: holds
// expect: proved
// The entries of the table differ at its end.
extern void *malloc(unsigned long);

struct node {
    struct node *next;
};

int main(void) {
    struct node *table[16];
    for (int i = 0; i < 16; i++) {
        table[i] = malloc(sizeof(struct node));
        table[i]->next = 0;
    }
    for (int i = 1; i < 16; i++)
        table[i - 1]->next = table[i];
    table[15]->next = table[15];
    struct node *at = table[0];
    while (at != table[15])
        at = at->next;
    return 0;
}
