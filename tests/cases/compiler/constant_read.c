// property: memsafety
// truth: holds
// expect: proved
// A copy of a literal may be written, and a pointer in a table that is not constant.
static const char *names[2] = { "one", "two" };

int main(void)
{
    char copy[] = "wane";
    copy[0] = 'W';
    names[1] = names[0];
    return names[1][0] == 'o' && copy[0] == 'W';
}
