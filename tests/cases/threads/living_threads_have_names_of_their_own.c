// property: thread-termination
// thread: main
// truth: holds
// expect: proved
// Nobody has waited for the first thread, so its name is not free.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_equal(pthread_t, pthread_t);
static void *nothing(void *argument) {
    return 0;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, nothing, 0);
    pthread_create(&two, 0, nothing, 0);
    while (pthread_equal(one, two)) {}
    return 0;
}
