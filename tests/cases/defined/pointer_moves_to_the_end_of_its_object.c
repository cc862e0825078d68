// property: termination
// truth: holds
// expect: unknown(W002)
//
// Nothing says that there is an empty word. But each of them is read, and the object ends somewhere.

char **words(void);
void use(char *word);
extern char **table;

int main(void)
{
    for (char **at = table; *at; at++)
        ;
    return 0;
}
