// property: memsafety
// truth: holds
// expect: proved
// The place of the next byte stays inside of a ring, which stands before it in one structure.
#include <stdio.h>

struct ring {
    unsigned char bytes[16];
    unsigned next, n_held;
};

int main(void) {
    struct ring ring = { .n_held = 0 };
    int c;
    while ((c = getchar()) != EOF) {
        if (ring.n_held != 16) {
            ring.bytes[ring.next] = (unsigned char)c;
            ring.next++;
            if (ring.next >= 16)
                ring.next = 0;
            ring.n_held++;
        } else
            ring.n_held = 0;
    }
    return 0;
}
