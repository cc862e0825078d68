// property: ltl
// ltl: G("*where == 0")
// truth: fails
// expect: refuted
// A formula about memory is looked at again after each write to memory.
int cell;
int *where = &cell;

int main(void) {
    *where = 1;
    *where = 0;
    return 0;
}
