// property: memsafety
// truth: holds
// expect: proved
// Elements are filled by a pointer to each: they are as many as if they were written by index, and
// what is read of one is in the range that was tested.

int __VERIFIER_nondet_int(void);

struct task {
    int id, hours;
};

static int load[6];

int main(void) {
    struct task tasks[10];
    int n = 0;
    while (n < 10 && __VERIFIER_nondet_int()) {
        int hours = __VERIFIER_nondet_int();
        if (hours < 0 || hours > 5) {
            continue;
        }
        struct task *task = &tasks[n];
        task->hours = hours;
        task->id = n;
        n++;
    }
    for (int i = 0; i < n; i++) {
        load[tasks[i].hours]++;
    }
    return load[0];
}
