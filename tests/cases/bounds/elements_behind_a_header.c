// property: memsafety
// truth: holds
// expect: proved
// options: --entry fill
// The bytes begin four behind the start: as many more must be there.
void fill(unsigned char *frame, unsigned n)
{
    for (unsigned i = 0; i < n; i++) frame[4ul + i] = 1;
}
