// property: thread-termination
// thread: watch
// truth: fails
// expect: unknown(W020)
// Who was handed the address may have written there.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
void enrol(int *where);
static int is_set;
static void *watch(void *argument) {
    while (is_set) {}
    return 0;
}
int main(void) {
    pthread_t one;
    enrol(&is_set);
    pthread_create(&one, 0, watch, 0);
    return 0;
}
