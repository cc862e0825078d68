// property: memsafety
// truth: holds
// expect: proved
// why: the address of the place behind an array may be taken
int input(void);

struct label { char text[8]; int length; };

int main(void) {
    struct label label = { "", 0 };
    for (char *at = label.text; at < &label.text[8]; at++)
        *at = 'x';
    return label.length;
}
