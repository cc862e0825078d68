// property: termination
// options: --entry read
// truth: fails
// expect: unknown(W036)
// From one page to the next and back again: the way back is granted no end.
#include <string.h>

struct page {
    struct page *next;
    struct page *previous;
    const char *text;
};

int read(struct page *page, const char *sought) {
    int turned = 0;
    while (page) {
        if (strcmp(page->text, sought) < 0)
            page = page->next;
        else
            page = page->previous;
        turned++;
    }
    return turned > 0;
}
