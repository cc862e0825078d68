// property: termination
// truth: fails
// expect: refuted
// options: --entry wait
// What lies there is known on the way through the condition alone.
void wait(const char *flag, int is_careful)
{
    if (is_careful && *flag == 'a')
        return;
    while (*flag == 'a') {
    }
}
