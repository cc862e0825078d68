// property: memsafety
// truth: holds
// expect: proved
// What is read of a table of constants is an index of another array: no day is behind its end.

unsigned __VERIFIER_nondet_uint(void);

static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
static const short of_quarters[16] = {1, 1, 2, 3, 3, 2, 1, 1, 4, 5, 6, 7, 7, 6, 5, 4};

int main(void) {
    int found[8] = {0};
    for (unsigned month = 0; month < 12; month++) {
        unsigned quarter = __VERIFIER_nondet_uint() % 16;
        found[of_quarters[quarter]] += days[month];
    }
    return found[0];
}
