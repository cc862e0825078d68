// property: termination
// truth: fails
// expect: unknown(W020)
// A function without body may call the one that it is handed.
void each_time(void (*what)(void));

static int left = 10;

static void refill(void) { left = 10; }

int main(void)
{
    while (left > 0) {
        left--;
        each_time(refill);
    }
    return 0;
}
