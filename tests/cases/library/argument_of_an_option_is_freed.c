// property: memsafety
// truth: fails
// expect: unknown(W002)
// The text behind an option is one of the arguments.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
    char *text = strdup("abc");
    char *arguments[] = {"program", "-b", text, 0};
    int option = getopt(3, arguments, "b:");
    free(text);
    return option == 'b' && optarg ? optarg[0] : 0;
}
