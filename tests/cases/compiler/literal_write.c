// property: memsafety
// truth: fails
// expect: refuted
// String literals are not to be written.
int main(void)
{
    char *name = "wane";
    name[0] = 'W';
    return 0;
}
