/* The length is known to symbolic execution as a rule of its own (`ir::Shortcut`). */
__model_size __wane_strlen(const char *text)
{
    __model_size length = 0;
    while (text[length])
        length++;
    return length;
}

__model_size __wane_strnlen(const char *text, __model_size limit)
{
    __model_size length = 0;
    while (length < limit && text[length])
        length++;
    return length;
}

/* Even that a text is copied to itself is undefined. */
static void __model_not_the_same(const char *target, const char *source)
{
    if (target == source)
        __model_undefined("a copy of a text to itself");
}

char *__wane_strcpy(char *target, const char *source)
{
    __model_size length = __wane_strlen(source);
    __model_copy_apart(target, source, length + 1);
    __model_not_the_same(target, source);
    target[length] = 0;
    return target;
}

char *__wane_stpcpy(char *target, const char *source)
{
    __model_size length = __wane_strlen(source);
    __model_copy_apart(target, source, length + 1);
    __model_not_the_same(target, source);
    target[length] = 0;
    return target + length;
}

char *__wane_strncpy(char *target, const char *source, __model_size limit)
{
    __model_size length = __wane_strnlen(source, limit);
    __model_copy_apart(target, source, length);
    __model_not_the_same(target, source);
    __model_fill(target + length, 0, limit - length);
    if (length < limit)
        target[length] = 0;
    return target;
}

char *__wane_stpncpy(char *target, const char *source, __model_size limit)
{
    __model_size length = __wane_strnlen(source, limit);
    __wane_strncpy(target, source, limit);
    return target + length;
}

char *__wane_strcat(char *target, const char *source)
{
    __model_size end = __wane_strlen(target);
    __model_size length = __wane_strlen(source);
    __model_copy_apart(target + end, source, length + 1);
    target[end + length] = 0;
    return target;
}

char *__wane_strncat(char *target, const char *source, __model_size limit)
{
    __model_size end = __wane_strlen(target);
    __model_size length = __wane_strnlen(source, limit);
    __model_copy_apart(target + end, source, length);
    __model_not_the_same(target, source);
    target[end + length] = 0;
    return target;
}

__model_size __wane_strlcpy(char *target, const char *source, __model_size size)
{
    __model_size length = __wane_strlen(source);
    __model_size copied = length;
    if (!size)
        return length;
    if (copied > size - 1)
        copied = size - 1;
    __model_copy_apart(target, source, copied);
    target[copied] = 0;
    return length;
}

int __wane_strcmp(const char *left, const char *right)
{
    return __model_sign(__model_compare(left, right));
}

int __model_compare(const char *left, const char *right)
{
    __model_size i = 0;
    while (left[i] && left[i] == right[i])
        i++;
    return (unsigned char)left[i] - (unsigned char)right[i];
}

int __summary_compare(const char *left, const char *right)
{
    __wane_strlen(left);
    __wane_strlen(right);
    return __model_unknown_int();
}

/* C promises the sign of a comparison, and nothing else of its value. */
int __model_sign(int difference)
{
    if (difference == 0)
        return 0;
    if (difference < 0)
        return -__model_magnitude();
    return __model_magnitude();
}

static int __model_knows_magnitude;

static int __model_chosen_magnitude;

/* The same texts compare in the same way each time. A run has one magnitude for all that
   differs; of a library nothing is known but that it has some for each two texts. */
int __model_magnitude(void)
{
    return 1 + __model_same_number(&__model_knows_magnitude, &__model_chosen_magnitude, 0,
                                   2147483646);
}

int __summary_magnitude(void)
{
    int magnitude = __model_unknown_int();
    return magnitude > 0 ? magnitude : 1;
}

int __wane_strncmp(const char *left, const char *right, __model_size limit)
{
    return __model_sign(__model_compare_some(left, right, limit));
}

int __model_compare_some(const char *left, const char *right, __model_size limit)
{
    __model_size i = 0;
    while (i < limit && left[i] && left[i] == right[i])
        i++;
    if (i == limit)
        return 0;
    return (unsigned char)left[i] - (unsigned char)right[i];
}

int __summary_compare_some(const char *left, const char *right, __model_size limit)
{
    __wane_strnlen(left, limit);
    __wane_strnlen(right, limit);
    return limit ? __model_unknown_int() : 0;
}

int __wane_strcasecmp(const char *left, const char *right)
{
    return __model_sign(__model_compare_letters(left, right));
}

int __model_compare_letters(const char *left, const char *right)
{
    __model_size i = 0;
    while (left[i] && __model_lower(left[i]) == __model_lower(right[i]))
        i++;
    return __model_lower(left[i]) - __model_lower(right[i]);
}

int __summary_compare_letters(const char *left, const char *right)
{
    __wane_strlen(left);
    __wane_strlen(right);
    return __model_unknown_int();
}

int __wane_strncasecmp(const char *left, const char *right, __model_size limit)
{
    return __model_sign(__model_compare_some_letters(left, right, limit));
}

int __model_compare_some_letters(const char *left, const char *right, __model_size limit)
{
    __model_size i = 0;
    while (i < limit && left[i] && __model_lower(left[i]) == __model_lower(right[i]))
        i++;
    if (i == limit)
        return 0;
    return __model_lower(left[i]) - __model_lower(right[i]);
}

int __summary_compare_some_letters(const char *left, const char *right, __model_size limit)
{
    __wane_strnlen(left, limit);
    __wane_strnlen(right, limit);
    return limit ? __model_unknown_int() : 0;
}

/* A character as a number, small where it is an ASCII letter. */
static int __model_lower(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c + 32;
    return (unsigned char)c;
}

int __wane_strcoll(const char *left, const char *right)
{
    __wane_strlen(left);
    __wane_strlen(right);
    return __model_result_int();
}

int __model_result_int(void)
{
    return __model_unknown_int();
}

__model_size __wane_strxfrm(char *target, const char *source, __model_size limit)
{
    __model_size length = __model_unknown_size();
    __wane_strlen(source);
    __model_assume(length < 0x7fffffff);
    if (limit) {
        __model_write_bytes(target, limit);
        if (length < limit)
            target[length] = 0;
    }
    return length;
}

char *__wane_strchr(const char *text, int wanted)
{
    __model_size i = 0;
    while (text[i] != (char)wanted) {
        if (!text[i])
            return 0;
        i++;
    }
    return (char *)text + i;
}

char *__summary_strchr(const char *text, int wanted)
{
    return __model_some_position(text, wanted);
}

/* Where a character of this value is in a text, or null. */
char *__model_some_position(const char *text, int wanted)
{
    __model_size length = __wane_strlen(text);
    __model_size i = __model_unknown_size();
    if (__model_unknown_int()) {
        __model_assume((char)wanted != 0);
        return 0;
    }
    __model_assume(i <= length);
    __model_assume(text[i] == (char)wanted);
    return (char *)text + i;
}

char *__wane_index(const char *text, int wanted)
{
    return __wane_strchr(text, wanted);
}

char *__wane_strchrnul(const char *text, int wanted)
{
    char *found = __wane_strchr(text, wanted);
    return found ? found : (char *)text + __wane_strlen(text);
}

char *__wane_strrchr(const char *text, int wanted)
{
    const char *found = 0;
    __model_size i = 0;
    while (text[i]) {
        if (text[i] == (char)wanted)
            found = text + i;
        i++;
    }
    if (!(char)wanted)
        found = text + i;
    return (char *)found;
}

char *__summary_strrchr(const char *text, int wanted)
{
    return __model_some_position(text, wanted);
}

char *__wane_rindex(const char *text, int wanted)
{
    return __wane_strrchr(text, wanted);
}

char *__wane_strstr(const char *text, const char *wanted)
{
    __model_size i = 0;
    __wane_strlen(wanted);
    while (1) {
        __model_size j = 0;
        while (wanted[j] && text[i + j] == wanted[j])
            j++;
        if (!wanted[j])
            return (char *)text + i;
        if (!text[i])
            return 0;
        i++;
    }
}

char *__summary_strstr(const char *text, const char *wanted)
{
    __model_size length = __wane_strlen(text);
    __model_size i = __model_unknown_size();
    __model_size n = __wane_strlen(wanted);
    if (__model_unknown_int()) {
        __model_assume(n > 0);
        return 0;
    }
    __model_assume(i <= length);
    __model_assume(n <= length - i);
    return (char *)text + i;
}

char *__wane_strcasestr(const char *text, const char *wanted)
{
    return __summary_strstr(text, wanted);
}

__model_size __wane_strspn(const char *text, const char *set)
{
    __model_size length = 0;
    __wane_strlen(set);
    while (text[length]) {
        __model_size i = 0;
        while (set[i] && set[i] != text[length])
            i++;
        if (!set[i])
            return length;
        length++;
    }
    return length;
}

/* The first character says whether the part is empty. */
__model_size __summary_strspn(const char *text, const char *set)
{
    __model_size prefix = __model_some_prefix(text, set);
    if (text[0] && __model_is_in(text[0], set))
        __model_assume(prefix > 0);
    else
        __model_assume(prefix == 0);
    return prefix;
}

/* Whether a set has a character. What a long set has is not told. */
int __model_is_in(char wanted, const char *set)
{
    if (!set[0])
        return 0;
    if (set[0] == wanted)
        return 1;
    if (!set[1])
        return 0;
    if (set[1] == wanted)
        return 1;
    if (!set[2])
        return 0;
    if (set[2] == wanted)
        return 1;
    if (!set[3])
        return 0;
    return __model_unknown_int() != 0;
}

/* The length of a part of a text at its start. */
__model_size __model_some_prefix(const char *text, const char *set)
{
    __model_size length = __wane_strlen(text);
    __model_size prefix = __model_unknown_size();
    __wane_strlen(set);
    __model_assume(prefix <= length);
    return prefix;
}

__model_size __wane_strcspn(const char *text, const char *set)
{
    __model_size length = 0;
    __wane_strlen(set);
    while (text[length]) {
        __model_size i = 0;
        while (set[i] && set[i] != text[length])
            i++;
        if (set[i])
            return length;
        length++;
    }
    return length;
}

__model_size __summary_strcspn(const char *text, const char *set)
{
    __model_size prefix = __model_some_prefix(text, set);
    if (!text[0] || __model_is_in(text[0], set))
        __model_assume(prefix == 0);
    else
        __model_assume(prefix > 0);
    return prefix;
}

char *__wane_strpbrk(const char *text, const char *set)
{
    __model_size i = __wane_strcspn(text, set);
    return text[i] ? (char *)text + i : 0;
}

static char *__model_strtok_rest;

char *__wane_strtok(char *text, const char *set)
{
    char *token = 0;
    if (text)
        __model_text_begun();
    token = __wane_strtok_r(text, set, &__model_strtok_rest);
    if (token)
        __model_text_less();
    return token;
}

/* A text is divided from its start on, into finitely many parts. */
static void __model_text_begun(void)
{
}

/* A part of it is found: the rest is behind that. */
static void __model_text_less(void)
{
}

char *__wane_strtok_r(char *text, const char *set, char **rest)
{
    __model_size length = 0;
    if (!text)
        text = *rest;
    text += __wane_strspn(text, set);
    if (!*text) {
        *rest = __model_at_the_end(text);
        return 0;
    }
    length = __wane_strcspn(text, set);
    if (text[length]) {
        text[length] = 0;
        *rest = text + length + 1;
    } else
        *rest = __model_at_the_end(text + length);
    return text;
}

/* What is left of a text that has been divided: nothing, in one of two ways. */
static char *__model_at_the_end(char *end)
{
    return __model_unknown_int() ? end : &__model_no_text;
}

static char __model_no_text;

char *__wane_strsep(char **rest, const char *set)
{
    char *text = *rest;
    __model_size length = 0;
    if (!text)
        return 0;
    length = __wane_strcspn(text, set);
    if (text[length]) {
        text[length] = 0;
        *rest = text + length + 1;
    } else
        *rest = 0;
    return text;
}

char *__wane_strdup(const char *text)
{
    __model_size length = __wane_strlen(text);
    char *copy = __model_allocate(length + 1);
    if (copy) {
        __model_copy(copy, text, length + 1);
        copy[length] = 0;
    }
    return copy;
}

char *__wane_strndup(const char *text, __model_size limit)
{
    __model_size length = __wane_strnlen(text, limit);
    char *copy = __model_allocate(length + 1);
    if (copy) {
        __model_copy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

int __wane_memcmp(const void *left, const void *right, __model_size size)
{
    return __model_sign(__model_compare_bytes(left, right, size));
}

int __model_compare_bytes(const void *left, const void *right, __model_size size)
{
    const unsigned char *a = left;
    const unsigned char *b = right;
    __model_size i = 0;
    for (i = 0; i < size; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

int __summary_compare_bytes(const void *left, const void *right, __model_size size)
{
    __model_read_bytes(left, size);
    __model_read_bytes(right, size);
    return size ? __model_unknown_int() : 0;
}

int __wane_bcmp(const void *left, const void *right, __model_size size)
{
    return __wane_memcmp(left, right, size);
}

void *__wane_memchr(const void *block, int wanted, __model_size size)
{
    const unsigned char *bytes = block;
    __model_size i = 0;
    for (i = 0; i < size; i++)
        if (bytes[i] == (unsigned char)wanted)
            return (void *)(bytes + i);
    return 0;
}

void *__wane_memrchr(const void *block, int wanted, __model_size size)
{
    const unsigned char *bytes = block;
    __model_size i = size;
    while (i > 0) {
        i--;
        if (bytes[i] == (unsigned char)wanted)
            return (void *)(bytes + i);
    }
    return 0;
}

/* Both blocks are read as a whole, in whatever order. */
void *__wane_memmem(const void *block, __model_size size, const void *wanted, __model_size n)
{
    const unsigned char *bytes = block;
    const unsigned char *part = wanted;
    __model_size i = 0;
    __model_read_bytes(block, size);
    __model_read_bytes(wanted, n);
    while (n <= size - i) {
        __model_size j = 0;
        while (j < n && bytes[i + j] == part[j])
            j++;
        if (j == n)
            return (void *)(bytes + i);
        i++;
    }
    return 0;
}

void *__summary_memmem(const void *block, __model_size size, const void *wanted, __model_size n)
{
    __model_size i = __model_unknown_size();
    __model_read_bytes(block, size);
    __model_read_bytes(wanted, n);
    if (__model_unknown_int()) {
        __model_assume(n > 0);
        return 0;
    }
    __model_assume(n <= size);
    __model_assume(i <= size - n);
    return (char *)block + i;
}

void *__wane_mempcpy(void *target, const void *source, __model_size size)
{
    __model_copy_apart(target, source, size);
    return (char *)target + size;
}

void *__wane_memccpy(void *target, const void *source, int last, __model_size size)
{
    unsigned char *to = target;
    const unsigned char *from = source;
    __model_size i = 0;
    for (i = 0; i < size; i++) {
        to[i] = from[i];
        if (from[i] == (unsigned char)last)
            return to + i + 1;
    }
    return 0;
}

void __wane_bzero(void *block, __model_size size)
{
    __model_fill(block, 0, size);
}

void __wane_explicit_bzero(void *block, __model_size size)
{
    __model_fill(block, 0, size);
}

void __wane_bcopy(const void *source, void *target, __model_size size)
{
    __model_copy(target, source, size);
}

static char *__model_signal_text;

char *__wane_strsignal(int number)
{
    return __model_fixed_text(&__model_signal_text, 200);
}
