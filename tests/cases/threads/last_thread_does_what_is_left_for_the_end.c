// property: thread-termination
// thread: main
// truth: fails
// expect: unknown(W020)
// The last thread that ends itself calls what was registered, as `exit` does.
typedef unsigned long pthread_t;
void pthread_exit(void *);
int atexit(void (*)(void));
static void stay(void) {
    while (1) {}
}
int main(void) {
    atexit(stay);
    pthread_exit(0);
}
