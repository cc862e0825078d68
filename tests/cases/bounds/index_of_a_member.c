// property: memsafety
// truth: holds
// expect: proved
// options: --entry slot
// An array that is a member ends before the structure does: the index must be one of it.
struct board {
    int marks[6];
    int n;
};

int slot(const struct board *board, int at) { return board->marks[at]; }
