// property: thread-termination
// thread: watch
// truth: fails
// expect: unknown(W020)
// What is not modelled in another thread may change anything.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
static int is_set;
static void deeper(int level) {
    if (level > 0) deeper(level - 1);
    else is_set = 1;
}
static void *other(void *argument) {
    deeper(3);
    return 0;
}
static void *watch(void *argument) {
    while (is_set) {}
    return 0;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, watch, 0);
    pthread_create(&two, 0, other, 0);
    return 0;
}
