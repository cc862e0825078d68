// property: thread-termination
// thread: main
// truth: holds
// expect: unknown(W030)
// The thread ends by ending all: nobody who has waited for it goes on.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void exit(int);
static void *leave(void *argument) {
    exit(0);
}
int main(void) {
    pthread_t one;
    pthread_create(&one, 0, leave, 0);
    pthread_join(one, 0);
    while (1) {}
}
