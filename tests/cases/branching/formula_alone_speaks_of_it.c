// property: ctl
// ctl: EF(limit >= 2)
// truth: fails
// expect: refuted
// Nothing but the formula mentions the variable, which another file may set to anything.

extern int limit;

int main(void) {
    return 0;
}
