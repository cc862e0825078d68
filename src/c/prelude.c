/* Functions of the C library, for files that call but do not define them.
   `__wane_f` stands for `f`. */

typedef __typeof__(sizeof(int)) __wane_size;

static int __wane_errno;

int *__wane___errno_location(void)
{
    return &__wane_errno;
}

__wane_size __wane_strlen(const char *text)
{
    __wane_size length = 0;
    while (text[length])
        length++;
    return length;
}

__wane_size __wane_strnlen(const char *text, __wane_size limit)
{
    __wane_size length = 0;
    while (length < limit && text[length])
        length++;
    return length;
}

char *__wane_strcpy(char *target, const char *source)
{
    __wane_size i = 0;
    while ((target[i] = source[i]))
        i++;
    return target;
}

char *__wane_stpcpy(char *target, const char *source)
{
    while ((*target = *source)) {
        target++;
        source++;
    }
    return target;
}

char *__wane_strncpy(char *target, const char *source, __wane_size limit)
{
    __wane_size i = 0;
    while (i < limit && source[i]) {
        target[i] = source[i];
        i++;
    }
    while (i < limit) {
        target[i] = 0;
        i++;
    }
    return target;
}

char *__wane_strcat(char *target, const char *source)
{
    __wane_size end = 0;
    __wane_size i = 0;
    while (target[end])
        end++;
    while ((target[end + i] = source[i]))
        i++;
    return target;
}

char *__wane_strncat(char *target, const char *source, __wane_size limit)
{
    __wane_size end = 0;
    __wane_size i = 0;
    while (target[end])
        end++;
    while (i < limit && source[i]) {
        target[end + i] = source[i];
        i++;
    }
    target[end + i] = 0;
    return target;
}

int __wane_strcmp(const char *left, const char *right)
{
    __wane_size i = 0;
    while (left[i] && left[i] == right[i])
        i++;
    return (unsigned char)left[i] - (unsigned char)right[i];
}

int __wane_strncmp(const char *left, const char *right, __wane_size limit)
{
    __wane_size i = 0;
    while (i < limit && left[i] && left[i] == right[i])
        i++;
    if (i == limit)
        return 0;
    return (unsigned char)left[i] - (unsigned char)right[i];
}

char *__wane_strchr(const char *text, int wanted)
{
    __wane_size i = 0;
    while (text[i] != (char)wanted) {
        if (!text[i])
            return 0;
        i++;
    }
    return (char *)text + i;
}

char *__wane_strrchr(const char *text, int wanted)
{
    const char *found = 0;
    __wane_size i = 0;
    while (text[i]) {
        if (text[i] == (char)wanted)
            found = text + i;
        i++;
    }
    if (!(char)wanted)
        found = text + i;
    return (char *)found;
}

char *__wane_strstr(const char *text, const char *wanted)
{
    __wane_size i = 0;
    while (1) {
        __wane_size j = 0;
        while (wanted[j] && text[i + j] == wanted[j])
            j++;
        if (!wanted[j])
            return (char *)text + i;
        if (!text[i])
            return 0;
        i++;
    }
}

__wane_size __wane_strspn(const char *text, const char *set)
{
    __wane_size length = 0;
    while (text[length]) {
        __wane_size i = 0;
        while (set[i] && set[i] != text[length])
            i++;
        if (!set[i])
            return length;
        length++;
    }
    return length;
}

__wane_size __wane_strcspn(const char *text, const char *set)
{
    __wane_size length = 0;
    while (text[length]) {
        __wane_size i = 0;
        while (set[i] && set[i] != text[length])
            i++;
        if (set[i])
            return length;
        length++;
    }
    return length;
}

char *__wane_strpbrk(const char *text, const char *set)
{
    __wane_size i = __wane_strcspn(text, set);
    return text[i] ? (char *)text + i : 0;
}

extern void *malloc(__wane_size);
extern void *memcpy(void *, const void *, __wane_size);

char *__wane_strdup(const char *text)
{
    __wane_size size = __wane_strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

int __wane_memcmp(const void *left, const void *right, __wane_size size)
{
    const unsigned char *a = left;
    const unsigned char *b = right;
    __wane_size i;
    for (i = 0; i < size; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

void *__wane_memchr(const void *block, int wanted, __wane_size size)
{
    const unsigned char *bytes = block;
    __wane_size i;
    for (i = 0; i < size; i++)
        if (bytes[i] == (unsigned char)wanted)
            return (void *)(bytes + i);
    return 0;
}

int __wane_isdigit(int c) { return c >= '0' && c <= '9'; }
int __wane_isupper(int c) { return c >= 'A' && c <= 'Z'; }
int __wane_islower(int c) { return c >= 'a' && c <= 'z'; }
int __wane_isalpha(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
int __wane_isalnum(int c) { return __wane_isalpha(c) || __wane_isdigit(c); }
int __wane_isspace(int c) { return c == ' ' || (c >= 9 && c <= 13); }
int __wane_isprint(int c) { return c >= 32 && c <= 126; }
int __wane_toupper(int c) { return __wane_islower(c) ? c - 32 : c; }
int __wane_tolower(int c) { return __wane_isupper(c) ? c + 32 : c; }

unsigned short __wane_bswap16(unsigned short x)
{
    return (unsigned short)((x & 0xff) * 256 + x / 256);
}

unsigned int __wane_bswap32(unsigned int x)
{
    return (x & 0xff) * 0x1000000 + (x / 0x100 & 0xff) * 0x10000 + (x / 0x10000 & 0xff) * 0x100 + x / 0x1000000;
}

extern int __VERIFIER_nondet_input(void);
extern void __VERIFIER_assume(int);

char *__wane_fgets(char *buffer, int limit, void *stream)
{
    int i = 0;
    while (i < limit - 1) {
        int c = __VERIFIER_nondet_input();
        if (c < 0)
            break;
        buffer[i] = (char)c;
        i++;
        if (c == '\n')
            break;
    }
    if (!i)
        return 0;
    buffer[i] = 0;
    return buffer;
}

__wane_size __wane_fread(void *block, __wane_size size, __wane_size count, void *stream)
{
    unsigned char *bytes = block;
    __wane_size i;
    for (i = 0; i < size * count; i++) {
        int c = __VERIFIER_nondet_input();
        if (c < 0)
            break;
        bytes[i] = (unsigned char)c;
    }
    return size ? i / size : 0;
}

long __wane_read(int file, void *block, __wane_size size)
{
    unsigned char *bytes = block;
    __wane_size i;
    if (__VERIFIER_nondet_input() < 0)
        return -1;
    for (i = 0; i < size; i++) {
        int c = __VERIFIER_nondet_input();
        if (c < 0)
            break;
        bytes[i] = (unsigned char)c;
    }
    return (long)i;
}

int __wane_snprintf(char *buffer, __wane_size limit, const char *format)
{
    int length = __VERIFIER_nondet_input();
    __wane_size i = 0;
    __VERIFIER_assume(length >= 0);
    if (!limit)
        return length;
    while (i < limit - 1 && i < (__wane_size)length) {
        char c = (char)__VERIFIER_nondet_input();
        __VERIFIER_assume(c != 0);
        buffer[i] = c;
        i++;
    }
    buffer[i] = 0;
    return length;
}

int __wane_vsnprintf(char *buffer, __wane_size limit, const char *format)
{
    return __wane_snprintf(buffer, limit, format);
}

int __wane_atoi(const char *text)
{
    int value = 0;
    __wane_size i = 0;
    while (__wane_isspace(text[i]))
        i++;
    int is_negative = text[i] == '-';
    if (text[i] == '-' || text[i] == '+')
        i++;
    while (__wane_isdigit(text[i])) {
        value = value * 10 + (text[i] - '0');
        i++;
    }
    return is_negative ? -value : value;
}
