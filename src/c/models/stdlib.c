/* Functions whose meaning the front end knows are declared here, so that they are
   matched by their types. */
extern void *__wane_malloc(__model_size size);

extern void *__wane_calloc(__model_size count, __model_size size);

extern void *__wane_realloc(void *block, __model_size size);

extern void *__wane_reallocarray(void *block, __model_size count, __model_size size);

extern void __wane_free(void *block);

extern void __wane_cfree(void *block);

extern void __wane_abort(void);

extern void __wane_exit(int status);

extern void __wane__exit(int status);

extern void __wane__Exit(int status);

extern void *__wane_alloca(__model_size size);

/* What runs when the program ends: functions in the order in which they were given, the
   last one first, and what is given meanwhile. */
struct __model_exit_call { void (*plain)(void); void (*full)(int, void *); void *argument; };

static struct __model_exit_call __model_exit_calls[64];

static int __model_exit_count;

static int __model_call_at_exit(void (*plain)(void), void (*full)(int, void *), void *argument)
{
    if (__model_exit_count >= 64) {
        __model_clobber("more than 64 functions to be called at the end");
    } else {
        __model_exit_calls[__model_exit_count].plain = plain;
        __model_exit_calls[__model_exit_count].full = full;
        __model_exit_calls[__model_exit_count].argument = argument;
    }
    __model_exit_count++;
    return 0;
}

void __model_run_exit_calls(void)
{
    while (__model_exit_count > 0) {
        int last = --__model_exit_count;
        struct __model_exit_call *next = &__model_exit_calls[last < 64 ? last : 63];
        if (next->plain)
            next->plain();
        else
            next->full(__model_unknown_int(), next->argument);
    }
}

/* __model_run_exit_calls */
int __wane_atexit(void (*function)(void))
{
    return __model_call_at_exit(function, 0, 0);
}

/* __model_run_exit_calls */
int __wane_on_exit(void (*function)(int, void *), void *argument)
{
    return __model_call_at_exit(0, function, argument);
}

static void (*__model_quick_calls[64])(void);

static int __model_quick_count;

void __model_run_quick_calls(void)
{
    while (__model_quick_count > 0) {
        int last = --__model_quick_count;
        __model_quick_calls[last < 64 ? last : 63]();
    }
}

/* __model_run_quick_calls */
int __wane_at_quick_exit(void (*function)(void))
{
    if (__model_quick_count >= 64)
        __model_clobber("more than 64 functions to be called at a quick end");
    else
        __model_quick_calls[__model_quick_count] = function;
    __model_quick_count++;
    return 0;
}

extern void __wane_quick_exit(int status);

/* Whether a number is no power of two. */
static int __model_is_no_alignment(__model_size alignment)
{
    return !alignment || (alignment & (alignment - 1));
}

void *__wane_aligned_alloc(__model_size alignment, __model_size size)
{
    if (__model_is_no_alignment(alignment) && __model_unknown_int())
        return 0;
    return __model_allocate(size);
}

void *__wane_memalign(__model_size alignment, __model_size size)
{
    return __wane_aligned_alloc(alignment, size);
}

void *__wane_valloc(__model_size size)
{
    return __model_allocate(size);
}

void *__wane_pvalloc(__model_size size)
{
    __model_size more = __model_some_size();
    __model_assume(more < 4096);
    return __model_allocate(size + more);
}

int __wane_posix_memalign(void **target, __model_size alignment, __model_size size)
{
    void *block = 0;
    if (__model_is_no_alignment(alignment) || alignment % sizeof(void *))
        return 22;
    block = __model_allocate(size);
    if (!block)
        return 12;
    *target = block;
    return 0;
}

__model_size __wane_malloc_usable_size(void *block)
{
    return __model_unknown_size();
}

static int __model_own_seeded;
/* How many numbers were drawn, up to a few. */
static unsigned char __model_own_drawn;

/* Some seed that the clock gives leads to any first numbers. */
void __model_seed_by_clock(unsigned seed)
{
    __model_own_seeded = 0;
    __model_own_drawn = 0;
}

void __wane_srand(unsigned seed)
{
    __model_seed_by_clock(seed);
    __model_own_seeded = 1;
}

void __wane_srandom(unsigned seed)
{
    __wane_srand(seed);
}

void __wane_srand48(long seed)
{
    __model_own_seeded = 1;
}

/* With a seed the sequence is fixed, though it is not known. Without, the first numbers are taken
   for any, but no sequence goes on as one likes. */
static int __model_is_fixed(void)
{
    if (__model_own_seeded || __model_own_drawn >= 8)
        return 1;
    __model_own_drawn++;
    return 0;
}

/* A loop that makes nothing of the number needs to assume nothing about it. */
int __wane_rand(void)
{
    if (__model_is_fixed())
        return (int)(__model_unknown_unsigned() % 2147483648);
    return __model_result_input(0, 2147483647);
}

long __wane_random(void)
{
    return __wane_rand();
}

long __wane_lrand48(void)
{
    return __wane_rand();
}

long __wane_mrand48(void)
{
    if (__model_is_fixed())
        return __model_unknown_int();
    return __model_some_int();
}

double __wane_drand48(void)
{
    return __model_unknown_double();
}

int __wane_rand_r(unsigned *seed)
{
    *seed = __model_unknown_unsigned();
    return __model_result_between(0, 2147483647);
}

int __wane_atoi(const char *text)
{
    return (int)__wane_strtol(text, 0, 10);
}

long __wane_atol(const char *text)
{
    return __wane_strtol(text, 0, 10);
}

long long __wane_atoll(const char *text)
{
    return __wane_strtoll(text, 0, 10);
}

double __wane_atof(const char *text)
{
    __wane_strlen(text);
    return __model_unknown_double();
}

/* The digit that a character stands for, 36 if it stands for none. */
static int __model_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

/* The digits at the start of a text up to a limit. Sets where they end, and the sign. */
static unsigned long long __model_digits(const char *text, char **end, int base, int *negative, int *is_large)
{
    __model_size i = 0;
    unsigned long long value = 0;
    int n_digits = 0;
    *negative = 0;
    *is_large = 0;
    if (__model_refuses_base(text, end, base))
        return 0;
    while (text[i] == ' ' || (text[i] >= 9 && text[i] <= 13))
        i++;
    if (text[i] == '-' || text[i] == '+') {
        *negative = text[i] == '-';
        i++;
    }
    if ((base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')
        && __model_digit(text[i + 2]) < 16) {
        i += 2;
        base = 16;
    }
    if (base == 0)
        base = text[i] == '0' ? 8 : 10;
    while (__model_digit(text[i]) < base) {
        unsigned digit = __model_digit(text[i]);
        if (value > (18446744073709551615ull - digit) / base)
            *is_large = 1;
        else
            value = value * base + digit;
        n_digits++;
        i++;
    }
    if (end)
        *end = (char *)text + (n_digits ? i : 0);
    if (!n_digits)
        __model_disturb();
    return value;
}

/* Whether there are no numbers to this base. */
static int __model_refuses_base(const char *text, char **end, int base)
{
    if (base == 0 || (base > 1 && base <= 36))
        return 0;
    if (end && __model_unknown_int())
        *end = (char *)text;
    __model_fail();
    return 1;
}

/* Some number that a text may stand for, with the same effects. */
static long long __model_some_number(const char *text, char **end, int base)
{
    if (__model_refuses_base(text, end, base))
        return 0;
    __model_size length = __wane_strlen(text);
    __model_size used = __model_unknown_size();
    __model_assume(used <= length);
    if (end)
        *end = (char *)text + used;
    if (__model_unknown_int())
        __model_out_of_range();
    return __model_unknown_wide();
}

long long __wane_strtoll(const char *text, char **end, int base)
{
    int negative = 0;
    int is_large = 0;
    unsigned long long value = __model_digits(text, end, base, &negative, &is_large);
    if (is_large || value > 9223372036854775807ull + negative) {
        __model_out_of_range();
        return negative ? -9223372036854775807ll - 1 : 9223372036854775807ll;
    }
    if (value == 9223372036854775808ull)
        return -9223372036854775807ll - 1;
    return negative ? -(long long)value : (long long)value;
}

long long __summary_strtoll(const char *text, char **end, int base)
{
    return __model_some_number(text, end, base);
}

long __wane_strtol(const char *text, char **end, int base)
{
    long long value = __wane_strtoll(text, end, base);
    if (sizeof(long) == 8)
        return (long)value;
    if (value > 2147483647ll) {
        __model_out_of_range();
        return 2147483647l;
    }
    if (value < -2147483647ll - 1) {
        __model_out_of_range();
        return -2147483647l - 1;
    }
    return (long)value;
}

unsigned long long __wane_strtoull(const char *text, char **end, int base)
{
    int negative = 0;
    int is_large = 0;
    unsigned long long value = __model_digits(text, end, base, &negative, &is_large);
    if (is_large) {
        __model_out_of_range();
        return 18446744073709551615ull;
    }
    return negative ? -value : value;
}

unsigned long long __summary_strtoull(const char *text, char **end, int base)
{
    if (__model_refuses_base(text, end, base))
        return 0;
    __model_some_number(text, end, base);
    return __model_unknown_unsigned();
}

unsigned long __wane_strtoul(const char *text, char **end, int base)
{
    unsigned long long value = __wane_strtoull(text, end, base);
    if (sizeof(long) == 8)
        return (unsigned long)value;
    return (unsigned long)__model_unknown_unsigned();
}

long long __wane_strtoimax(const char *text, char **end, int base)
{
    return __wane_strtoll(text, end, base);
}

unsigned long long __wane_strtoumax(const char *text, char **end, int base)
{
    return __wane_strtoull(text, end, base);
}

double __wane_strtod(const char *text, char **end)
{
    __model_some_number(text, end);
    return __model_unknown_double();
}

float __wane_strtof(const char *text, char **end)
{
    __model_some_number(text, end);
    return (float)__model_unknown_double();
}

long double __wane_strtold(const char *text, char **end)
{
    __model_some_number(text, end);
    return (long double)__model_unknown_double();
}

/* One of the ways in which C allows to sort. */
struct __model_quotient_int {
    int quot;
    int rem;
};

struct __model_quotient_int __wane_div(int number, int divisor)
{
    struct __model_quotient_int both;
    both.quot = number / divisor;
    both.rem = number % divisor;
    return both;
}

struct __model_quotient_long {
    long quot;
    long rem;
};

struct __model_quotient_long __wane_ldiv(long number, long divisor)
{
    struct __model_quotient_long both;
    both.quot = number / divisor;
    both.rem = number % divisor;
    return both;
}

struct __model_quotient_wide {
    long long quot;
    long long rem;
};

struct __model_quotient_wide __wane_lldiv(long long number, long long divisor)
{
    struct __model_quotient_wide both;
    both.quot = number / divisor;
    both.rem = number % divisor;
    return both;
}

void __wane_qsort(void *base, __model_size count, __model_size size, int (*compare)(const void *, const void *))
{
    char *elements = base;
    void *held = __model_temporary(size);
    __model_size i = 1;
    for (; i < count; i++) {
        __model_size j = i;
        while (j > 0 && compare(elements + (j - 1) * size, elements + j * size) > 0) {
            __model_copy(held, elements + j * size, size);
            __model_copy(elements + j * size, elements + (j - 1) * size, size);
            __model_copy(elements + (j - 1) * size, held, size);
            j--;
        }
    }
}

/* The comparison is called for any pairs, any finite number of times, and elements change places.
   Where they have another size than pointers, nothing is known of them then. */
void __summary_qsort(void *base, __model_size count, __model_size size, int (*compare)(const void *, const void *))
{
    __model_size calls = __model_unknown_size();
    while (calls > 0 && count > 1) {
        __model_size i = __model_unknown_size();
        __model_size j = __model_unknown_size();
        __model_assume(i < count);
        __model_assume(j < count);
        compare((char *)base + i * size, (char *)base + j * size);
        if (size == sizeof(void *)) {
            void **pointers = base;
            void *held = pointers[i];
            pointers[i] = pointers[j];
            pointers[j] = held;
        }
        calls--;
    }
    if (size != sizeof(void *))
        __model_write_bytes(base, count * size);
}

/* Which one of several equal elements is found is not said. */
static void *__model_equal_element(const void *key, char *element, int has_left, int has_right,
    __model_size size, int (*compare)(const void *, const void *))
{
    if ((has_left && compare(key, element - size) == 0) || (has_right && compare(key, element + size) == 0))
        __model_unsupported("a search for one of several equal elements");
    return element;
}

void *__wane_bsearch(const void *key, const void *base, __model_size count, __model_size size,
    int (*compare)(const void *, const void *))
{
    __model_size low = 0;
    while (low < count) {
        __model_size middle = low + (count - low) / 2;
        char *element = (char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return __model_equal_element(key, element, middle > 0, middle + 1 < count, size, compare);
        if (order < 0)
            count = middle;
        else
            low = middle + 1;
    }
    return 0;
}

void *__wane_lfind(const void *key, const void *base, __model_size *count, __model_size size,
    int (*compare)(const void *, const void *))
{
    __model_size i = 0;
    for (i = 0; i < *count; i++)
        if (compare(key, (char *)base + i * size) == 0)
            return (char *)base + i * size;
    return 0;
}

void *__wane_lsearch(const void *key, void *base, __model_size *count, __model_size size,
    int (*compare)(const void *, const void *))
{
    void *found = __wane_lfind(key, base, count, size, compare);
    if (found)
        return found;
    __model_copy((char *)base + *count * size, key, size);
    *count = *count + 1;
    return (char *)base + (*count - 1) * size;
}

int __wane_system(const char *command)
{
    if (command)
        __wane_strlen(command);
    return __model_some_int();
}

char *__wane_realpath(const char *path, char *resolved)
{
    __model_size length = __model_some_size();
    __wane_strlen(path);
    __model_assume(length < 4096);
    if (__model_some_truth()) {
        __model_fail();
        /* What is written before something goes wrong stays. */
        if (resolved)
            __model_write_bytes(resolved, length);
        return 0;
    }
    if (!resolved)
        resolved = __model_allocate(length + 1);
    if (resolved) {
        __model_write_bytes(resolved, length);
        resolved[length] = 0;
    }
    return resolved;
}

/* Whether there are six places for characters. */
static int __model_ends_in_places(const char *text)
{
    return text[0] == 'X' && text[1] == 'X' && text[2] == 'X' && text[3] == 'X' && text[4] == 'X'
        && text[5] == 'X';
}

int __wane_mkstemp(char *template)
{
    __model_size length = __wane_strlen(template);
    if (length < 6 || !__model_ends_in_places(template + length - 6)) {
        __model_fail();
        return -1;
    }
    __model_write_bytes(template + length - 6, 6);
    template[length] = 0;
    return __model_descriptor();
}

int __wane_mblen(const char *text, __model_size limit)
{
    if (text)
        __wane_strnlen(text, limit);
    return __model_result_between(-1, 16);
}

long __wane_a64l(const char *text)
{
    __wane_strlen(text);
    return __model_unknown_int();
}

int __wane_getloadavg(double *target, int count)
{
    if (count > 0)
        __model_write_bytes(target, count * sizeof(double));
    return __model_result_between(-1, count > 0 ? count : 0);
}

/* __wane_printf */
extern void __wane_err(int status, const char *format, ...);

/* __wane_printf */
extern void __wane_errx(int status, const char *format, ...);

/* __wane_printf */
extern void __wane_warn(const char *format, ...);

/* __wane_printf */
extern void __wane_warnx(const char *format, ...);

int __wane_ffs(int value)
{
    return __wane_ffsll((unsigned)value);
}

int __wane_ffsl(long value)
{
    return __wane_ffsll((unsigned long)value);
}

int __wane_ffsll(long long value)
{
    int position = 0;
    for (position = 0; position < 64; position++)
        if ((unsigned long long)value >> position & 1)
            return position + 1;
    return 0;
}

int __summary_ffsll(long long value)
{
    return value ? __model_result_between(1, 64) : 0;
}
