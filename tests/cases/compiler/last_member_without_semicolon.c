// property: memsafety
// truth: holds
// expect: proved

/* GNU C: the last member needs none. `bool` is a tag here. */
enum bool { no, yes };
struct pair { int first, second; enum bool bool };

int main(void)
{
    struct pair pairs[2];
    for (int i = 0; i < 2; i++)
        pairs[i].bool = yes;
    return pairs[1].bool;
}
