// property: memsafety
// truth: holds
// expect: proved
// why: what is left of the table has addresses of what is freed only
#include <stdio.h>
#include <stdlib.h>

#define SHELVES 16

struct book { int number; struct book *next; };

int main(void) {
    struct book *shelves[SHELVES];
    int number;
    for (int i = 0; i < SHELVES; i++)
        shelves[i] = NULL;
    while (scanf("%d", &number) == 1) {
        struct book *book = malloc(sizeof *book);
        if (book == NULL)
            break;
        struct book **shelf = &shelves[(unsigned)number % SHELVES];
        book->number = number;
        book->next = *shelf;
        *shelf = book;
    }
    for (int i = 0; i < SHELVES; i++) {
        struct book *book = shelves[i];
        while (book != NULL) {
            struct book *next = book->next;
            free(book);
            book = next;
        }
    }
    return 0;
}
