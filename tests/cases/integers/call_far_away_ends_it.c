// property: termination
// truth: holds
// expect: proved
//
// No run that is tried comes so far: that the loop can be left without an overflow, the call in it
// says, which ends the program.

extern void abort(void);

static int count;

static void next(void)
{
    if (count >= 1000000)
        abort();
    count++;
}

int main(void)
{
    for (;;)
        next();
}
