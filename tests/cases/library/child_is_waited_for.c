// property: memsafety
// truth: holds
// expect: proved
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status = 0;
    pid_t child = fork();
    if (child < 0)
        return 1;
    if (child == 0) {
        execvp(argv[argc - 1], argv);
        _exit(127);
    }
    while (waitpid(child, &status, WNOHANG) == 0)
        status = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
