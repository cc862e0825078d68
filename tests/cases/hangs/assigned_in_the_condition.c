// property: termination
// truth: fails
// expect: refuted
// The limit is assigned, not compared.
#include <stdio.h>

int send_request(int id);

struct session {
    int retries;
    int limit;
    int is_done;
};

static void run(struct session *session)
{
    session->retries = 0;
    while (!(session->retries = session->limit)) {
        int status = send_request(session->retries);
        if (status == 200) {
            session->is_done = 1;
            break;
        }
        session->retries++;
    }
}

int main(void)
{
    struct session session = { 0, 0, 0 };
    if (scanf("%d", &session.limit) != 1)
        return 1;
    run(&session);
    return session.is_done ? 0 : 1;
}
