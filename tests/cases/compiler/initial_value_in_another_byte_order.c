// property: termination
// truth: fails
// expect: unknown(W020)
extern void *memcpy(void *target, const void *source, unsigned long size);

struct __attribute__((scalar_storage_order("big-endian"))) word {
    int value;
} word = { 1 };

int main(void) {
    int value;
    memcpy(&value, &word, sizeof value);
    while (value != 1) {
    }
    return 0;
}
