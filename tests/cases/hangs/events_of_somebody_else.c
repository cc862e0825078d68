// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry serve
// What is called in each round is not known: it may end the program.
struct server { int port; };
extern void serve_one(void);

void serve(struct server *server)
{
    for (server->port = 1;;)
        serve_one();
}
