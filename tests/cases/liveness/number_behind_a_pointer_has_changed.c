// property: ltl
// ltl: F(cell == 1)
// truth: holds
// expect: proved
// A formula about memory is looked at between two writes to memory.
int cell;
int *where = &cell;

int main(void) {
    *where = 1;
    *where = 0;
    return 0;
}
