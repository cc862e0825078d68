// property: thread-termination
// thread: main
// truth: holds
// expect: proved
// why: the thread that is waited for does not matter: main has the only list.
#include <pthread.h>
#include <stdlib.h>

int nondet(void);
struct job { int cost; struct job *next; };
static int n_done;

static void *helper(void *unused) {
    n_done = n_done + 1;
    return unused;
}

int main(void) {
    pthread_t a;
    struct job *mine = 0;
    int n = nondet();
    while (n > 0) {
        struct job *fresh = malloc(sizeof *fresh);
        fresh->next = mine;
        mine = fresh;
        n--;
    }
    pthread_create(&a, 0, helper, 0);
    pthread_join(a, 0);
    while (mine) {
        struct job *next = mine->next;
        free(mine);
        mine = next;
    }
    return 0;
}
