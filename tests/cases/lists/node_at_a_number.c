// property: termination
// truth: fails
// expect: unknown(W030)
// A node may lie at any address that is not 0.
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
};

int main(void) {
  struct node *first = 0;
  while (getchar() != EOF) {
    struct node *node = malloc(sizeof *node);
    if (!node) return 1;
    node->next = first;
    first = node;
  }
  while (first == (struct node *)0x4062f0)
    ;
  while (first) {
    struct node *next = first->next;
    free(first);
    first = next;
  }
  return 0;
}
