// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry drain
// The number that a loop counts is also written as another member of a union.
union slot {
    int number;
    short halves[2];
};

void drain(union slot *slot, const short *from)
{
    while (slot->number > 0) {
        slot->number--;
        slot->halves[0] = 9;
        slot->halves[1] = 0;
    }
}
