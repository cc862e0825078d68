// property: termination
// truth: holds
// expect: proved
// Assembly without instructions only keeps the compiler from moving things.
int main(void)
{
    int x = 10;
    while (x > 0) {
        __asm__ volatile("" ::: "memory");
        __asm__ volatile("nop");
        x--;
    }
    return 0;
}
