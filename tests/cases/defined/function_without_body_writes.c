// property: termination
// truth: holds
// expect: proved
// options: --entry feed
// What a function without body writes to memory does not matter to a count that no address leads to.
struct sink;
int sink_free_some(struct sink *sink, char *buffer, int size);

void feed(struct sink *sink, int n)
{
    char buffer[64];
    while (n > 0) {
        sink_free_some(sink, buffer, sizeof buffer);
        n -= 8;
    }
}
