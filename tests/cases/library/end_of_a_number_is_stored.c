// property: reach
// truth: fails
// expect: refuted
// The call stores where the number ends.
extern void reach_error(void);
extern long long strtoll(const char *, char **, int);

int main(void) {
    char text[3] = "12";
    char *end = text;
    strtoll(text, &end, 10);
    if (end != text)
        reach_error();
    return 0;
}
