/* Sockets: what comes over them is arbitrary, and each call may fail. An address is so many
   bytes as its length says. */

/* An address is written, with as many bytes as there is room for, and its length. */
static void __model_write_address(void *address, unsigned *length)
{
    if (!address)
        return;
    __model_write_bytes(address, *length);
    *length = (unsigned)__model_result_between(0, 128);
}

int __wane_bind(int file, const void *address, unsigned length)
{
    __model_read_bytes(address, length);
    return __model_result_status();
}

int __wane_connect(int file, const void *address, unsigned length)
{
    __model_read_bytes(address, length);
    return __model_result_status();
}

int __wane_accept(int file, void *address, unsigned *length)
{
    int descriptor = __model_descriptor();
    if (descriptor >= 0)
        __model_write_address(address, length);
    return descriptor;
}

int __wane_accept4(int file, void *address, unsigned *length, int flags)
{
    return __wane_accept(file, address, length);
}

int __wane_getsockname(int file, void *address, unsigned *length)
{
    if (__model_result_status() < 0)
        return -1;
    __model_write_address(address, length);
    return 0;
}

int __wane_getpeername(int file, void *address, unsigned *length)
{
    return __wane_getsockname(file, address, length);
}

int __wane_setsockopt(int file, int level, int name, const void *value, unsigned length)
{
    __model_read_bytes(value, length);
    return __model_result_status();
}

int __wane_getsockopt(int file, int level, int name, void *value, unsigned *length)
{
    unsigned room = *length;
    if (__model_status_with(value, room) < 0)
        return -1;
    *length = (unsigned)__model_unknown_int();
    __model_assume(*length <= room);
    return 0;
}

int __wane_socketpair(int domain, int type, int protocol, int *ends)
{
    return __wane_pipe(ends);
}

long __wane_sendto(int file, const void *block, __model_size size, int flags, const void *address,
                   unsigned length)
{
    if (address)
        __model_read_bytes(address, length);
    return __wane_write(file, block, size);
}

long __wane_recvfrom(int file, void *block, __model_size size, int flags, void *address,
                     unsigned *length)
{
    long some = __wane_recv(file, block, size, flags);
    if (some >= 0)
        __model_write_address(address, length);
    return some;
}

int __wane_epoll_create(int size)
{
    return __model_descriptor();
}

int __wane_epoll_create1(int flags)
{
    return __model_descriptor();
}

int __wane_epoll_ctl(int all, int operation, int file, void *event)
{
    if (event)
        __model_read_bytes(event, 12);
    return __model_result_status();
}

/* An event is of 12 bytes. */
int __wane_epoll_wait(int all, void *events, int count, int limit)
{
    if (count <= 0) {
        __model_fail();
        return -1;
    }
    if (__model_status_with(events, (__model_size)count * 12) < 0)
        return -1;
    return __model_result_between(0, count);
}

unsigned __wane_inet_addr(const char *text)
{
    __wane_strlen(text);
    return (unsigned)__model_unknown_int();
}

int __wane_inet_aton(const char *text, void *address)
{
    __wane_strlen(text);
    if (__model_some_truth())
        return 0;
    __model_write_bytes(address, 4);
    return 1;
}

/* Bytes of an address of a family: that of the longer addresses is 10. */
static __model_size __model_address_bytes(int family)
{
    return family == 10 ? 16 : 4;
}

int __wane_inet_pton(int family, const char *text, void *address)
{
    __wane_strlen(text);
    if (family != 2 && family != 10) {
        __model_fail();
        return -1;
    }
    if (__model_some_truth())
        return 0;
    __model_write_bytes(address, __model_address_bytes(family));
    return 1;
}

/* The text of an address ends within 16 bytes, or 46 if it is a longer one. */
const char *__wane_inet_ntop(int family, const void *address, char *text, unsigned size)
{
    __model_size length = __model_unknown_size();
    if (family == 2 || family == 10)
        __model_read_bytes(address, __model_address_bytes(family));
    if ((family != 2 && family != 10) || __model_some_truth()) {
        __model_fail();
        return 0;
    }
    __model_assume(length < size);
    __model_assume(length < (family == 10 ? 46 : 16));
    __model_write_bytes(text, length);
    text[length] = 0;
    return text;
}

static char *__model_host_error;

const char *__wane_gai_strerror(int number)
{
    return __model_fixed_text(&__model_host_error, 64);
}

/* What `getaddrinfo` finds: a list, with the address behind each entry. */
struct __model_addresses {
    int flags;
    int family;
    int type;
    int protocol;
    unsigned length;
    void *address;
    char *name;
    struct __model_addresses *next;
};

static struct __model_addresses *__model_found_address(struct __model_addresses *next)
{
    struct __model_addresses *found = __model_allocate(sizeof(struct __model_addresses) + 128);
    if (!found)
        return next;
    __model_write_bytes(found, sizeof(struct __model_addresses) + 128);
    found->length = __model_some_truth() ? 16 : 28;
    found->address = found + 1;
    found->name = 0;
    found->next = next;
    return found;
}

int __wane_getaddrinfo(const char *host, const char *service, const void *hints,
                       struct __model_addresses **result)
{
    struct __model_addresses *found = 0;
    __model_size count = __model_some_size();
    __model_size i = 0;
    if (host)
        __wane_strlen(host);
    if (service)
        __wane_strlen(service);
    if (hints) {
        __model_read_bytes(hints, sizeof(struct __model_addresses));
        if (((const struct __model_addresses *)hints)->flags & 2)
            __model_unsupported("the official name of a host");
    }
    if (__model_some_truth()) {
        __model_fail();
        return __model_result_between(-105, -1);
    }
    __model_assume(count > 0);
    for (i = 0; i < count; i++)
        found = __model_found_address(found);
    if (!found)
        return -10;
    *result = found;
    return 0;
}

void __wane_freeaddrinfo(struct __model_addresses *found)
{
    while (found) {
        struct __model_addresses *next = found->next;
        __model_release(found);
        found = next;
    }
}
