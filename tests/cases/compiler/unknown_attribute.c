// property: termination
// truth: fails
// expect: unknown(W020)
// What an attribute does that nobody knows may be anything: this one turns the
// bytes of the number around.
struct __attribute__((scalar_storage_order("big-endian"))) header { unsigned length; };

int main(void)
{
    struct header header;
    header.length = 1;
    while (*(unsigned *)&header == 0x01000000)
        ;
    return 0;
}
