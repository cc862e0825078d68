// property: termination
// truth: holds
// expect: proved
// options: --entry copy
// What is read is at a copy of the pointer that was made before it moved.
void copy(char *to, const char *from)
{
    while ((*to++ = *from++))
        ;
}
