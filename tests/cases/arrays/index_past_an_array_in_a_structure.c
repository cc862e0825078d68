// property: memsafety
// truth: fails
// expect: refuted
// why: the byte behind the array is the next field, but no element
int input(void);

struct label { char text[8]; int length; };

int main(void) {
    struct label label = { "", 0 };
    int at = input();
    if (at < 0 || at > 8)
        return 0;
    label.text[at] = 'x';
    return label.length;
}
