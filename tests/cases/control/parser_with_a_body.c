// property: memsafety
// truth: holds
// expect: proved
// A parser whose buffer is allocated in one state and freed in another.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);

enum state { IDLE, HEADER, BODY, DONE };

struct request {
    int length;
    char *body;
};

int main(void) {
    enum state state = IDLE;
    struct request *request;
    int filled;
    for (;;) {
        int byte = __VERIFIER_nondet_int();
        switch (state) {
        case IDLE:
            if (byte < 0)
                return 0;
            request = malloc(sizeof *request);
            if (!request)
                return 1;
            request->body = 0;
            state = HEADER;
            break;
        case HEADER:
            if (byte <= 0) {
                free(request);
                state = IDLE;
                break;
            }
            request->body = malloc(byte);
            if (!request->body) {
                free(request);
                state = IDLE;
                break;
            }
            request->length = byte;
            filled = 0;
            state = BODY;
            break;
        case BODY:
            request->body[filled] = (char)byte;
            filled++;
            if (filled == request->length)
                state = DONE;
            break;
        case DONE:
            free(request->body);
            free(request);
            state = IDLE;
            break;
        }
    }
}
