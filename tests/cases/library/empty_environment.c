// property: memsafety
// truth: fails
// expect: refuted
// The environment may have no variable.
int main(int argc, char **argv, char **envp) {
    return envp[0][0];
}
