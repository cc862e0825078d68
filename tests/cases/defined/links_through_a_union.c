// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry walk
// A number that is stored in a union may be the address that is read there.
union word {
    union word *at;
    long number;
};

void walk(union word *word)
{
    word->number = (long)word;
    while (word)
        word = word->at;
}
