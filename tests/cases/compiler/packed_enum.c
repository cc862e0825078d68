// property: termination
// truth: fails
// expect: refuted
// A packed enumeration takes as few bytes as its values need.
enum __attribute__((packed)) colour { RED, GREEN, BLUE = 200 };
enum sign { MINUS = -1, PLUS = 300 } __attribute__((packed));

int main(void)
{
    while (sizeof(enum colour) == 1 && sizeof(enum sign) == 2)
        ;
    return 0;
}
