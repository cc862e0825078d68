//! Random calls of library functions.
//!
//! In a template `$s` is a string that may be read, `$t` memory that may be written, `$n` a
//! size, `$j` an index, `$m` a small one, `$i` a number that an `int` holds, `$c` a byte or the end of input, `$b` a base.
//! `R =` stands for what is done with the result of the call.

/// What the calls need: prototypes by hand, as a preprocessed file has them.
pub(crate) const PROTOTYPES: &str = "typedef unsigned long size_t;
typedef struct { int quot; int rem; } div_t;
extern void *malloc(size_t size);
extern void *calloc(size_t count, size_t size);
extern void *realloc(void *block, size_t size);
extern void *reallocarray(void *block, size_t count, size_t size);
extern void *aligned_alloc(size_t alignment, size_t size);
extern int posix_memalign(void **target, size_t alignment, size_t size);
extern void free(void *block);
extern void *memset(void *block, int byte, size_t size);
extern void *memcpy(void *restrict target, const void *restrict source, size_t size);
extern void *mempcpy(void *restrict target, const void *restrict source, size_t size);
extern void *memmove(void *target, const void *source, size_t size);
extern void *memccpy(void *restrict target, const void *restrict source, int byte, size_t size);
extern int memcmp(const void *left, const void *right, size_t size);
extern void *memchr(const void *block, int byte, size_t size);
extern void *memrchr(const void *block, int byte, size_t size);
extern void *memmem(const void *block, size_t size, const void *part, size_t size_of_part);
extern size_t strlen(const char *text);
extern size_t strnlen(const char *text, size_t size);
extern char *strcpy(char *restrict target, const char *restrict source);
extern char *stpcpy(char *restrict target, const char *restrict source);
extern char *strncpy(char *restrict target, const char *restrict source, size_t size);
extern char *strcat(char *restrict target, const char *restrict source);
extern char *strncat(char *restrict target, const char *restrict source, size_t size);
extern int strcmp(const char *left, const char *right);
extern int strncmp(const char *left, const char *right, size_t size);
extern int strcasecmp(const char *left, const char *right);
extern int strncasecmp(const char *left, const char *right, size_t size);
extern int strcoll(const char *left, const char *right);
extern char *strchr(const char *text, int byte);
extern char *strchrnul(const char *text, int byte);
extern char *strrchr(const char *text, int byte);
extern char *strstr(const char *text, const char *part);
extern char *strpbrk(const char *text, const char *bytes);
extern size_t strspn(const char *text, const char *bytes);
extern size_t strcspn(const char *text, const char *bytes);
extern char *strtok(char *restrict text, const char *restrict bytes);
extern char *strtok_r(char *restrict text, const char *restrict bytes, char **restrict rest);
extern char *strsep(char **restrict text, const char *restrict bytes);
extern char *strdup(const char *text);
extern char *strndup(const char *text, size_t size);
extern int atoi(const char *text);
extern long atol(const char *text);
extern long strtol(const char *restrict text, char **restrict end, int base);
extern unsigned long strtoul(const char *restrict text, char **restrict end, int base);
extern long long strtoll(const char *restrict text, char **restrict end, int base);
extern int abs(int number);
extern long labs(long number);
extern div_t div(int number, int divisor);
extern void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
extern void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
extern int isdigit(int byte);
extern int isalpha(int byte);
extern int isalnum(int byte);
extern int isspace(int byte);
extern int isupper(int byte);
extern int islower(int byte);
extern int isprint(int byte);
extern int ispunct(int byte);
extern int isxdigit(int byte);
extern int iscntrl(int byte);
extern int isgraph(int byte);
extern int isblank(int byte);
extern int toupper(int byte);
extern int tolower(int byte);
extern int snprintf(char *restrict target, size_t size, const char *restrict format, ...);
extern int sprintf(char *restrict target, const char *restrict format, ...);
extern int printf(const char *restrict format, ...);
extern int puts(const char *text);
extern int putchar(int byte);
extern int sscanf(const char *restrict text, const char *restrict format, ...);
extern int ffs(int number);
extern int ffsl(long number);
extern void bzero(void *block, size_t size);
extern int bcmp(const void *left, const void *right, size_t size);
extern void bcopy(const void *source, void *target, size_t size);
extern char *index(const char *text, int byte);
extern char *rindex(const char *text, int byte);
extern long time(long *target);
extern char *getenv(const char *name);
extern char *strerror(int number);
extern int *__errno_location(void);
extern void reach_error(void);
";

/// Functions of the program that calls use.
pub(crate) const HELPERS: &[(&str, &str)] = &[
    ("note@", "static void note@(long value) { acc@ = (int)((acc@ * 5 + value) & 0xffff); }"),
    ("sign@", "static int sign@(int value) { return value < 0 ? -1 : value > 0; }"),
    (
        "at@",
        "static int at@(const char *found, const char *base) { return found ? (int)(found - base) : -1; }",
    ),
    (
        "up@",
        "static int up@(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return x < y ? -1 : x > y; }",
    ),
    (
        "down@",
        "static int down@(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }",
    ),
    ("text@", "static char text@[8] = \"hello\";"),
    ("empty@", "static char empty@[4];"),
    ("number@", "static const char number@[] = \" -42x\";"),
    ("hex@", "static const char hex@[] = \"0x1Fz\";"),
    ("list@", "static char list@[12] = \"a,b;;c d\";"),
    ("raw@", "static char raw@[3] = { 'a', 'b', 'c' };"),
    ("numbers@", "static int numbers@[4] = { 3, 1, 2, 1 };"),
];

/// Memory of `main`, in this order.
pub(crate) const LOCALS: &[(&str, &str)] = &[
    ("local", "char local[6] = \"xyZ\";"),
    ("big", "char big[24] = \"Some text, 12\";"),
    ("heap", "char *heap = calloc(7, 1); strcpy(heap, \"heap\");"),
    ("small", "char *small = malloc(2); small[0] = 'q'; small[1] = 0;"),
    ("freed", "char *freed = malloc(8); strcpy(freed, \"freed\"); free(freed);"),
    ("nothing", "char *nothing = 0;"),
    ("end", "char *end = 0;"),
    ("rest", "char *rest = 0;"),
    ("block", "void *block = 0;"),
    ("n", "int n = 5;"),
    ("l", "long l = 0;"),
    ("d", "div_t d;"),
];

/// Strings that may be read, and, seldom, such that may not.
pub(crate) const STRINGS: &[&str] = &[
    "text@",
    "text@ + 2",
    "empty@",
    "number@",
    "hex@",
    "list@",
    "local",
    "big",
    "heap",
    "small",
    "\"abc\"",
    "\"\"",
    "\"l\"",
    "\"12 34\"",
    "\", ;\"",
    "\"HELLO\"",
    "\"hex\\xe4\"",
    "heap + 1",
    "big + 5",
];

pub(crate) const BAD_STRINGS: &[&str] = &["freed", "nothing", "raw@", "heap + 7", "text@ + 9"];

/// Memory that may be written, and, seldom, such that may not.
pub(crate) const TARGETS: &[&str] =
    &["big", "big", "big + 8", "local", "heap", "text@", "list@", "empty@"];

pub(crate) const BAD_TARGETS: &[&str] = &[
    "small",
    "freed",
    "nothing",
    "raw@",
    "heap + 5",
    "empty@ + 2",
    "(char *)\"lit\"",
    "(char *)number@",
];

pub(crate) const NUMBERS: &[&str] =
    &["0", "1", "-1", "7", "-13", "42", "255", "256", "100000", "-2147483647", "2147483647", "n"];

pub(crate) const BYTES: &[&str] = &[
    "'a'", "'l'", "'0'", "'9'", "' '", "','", "'Z'", "'_'", "0", "-1", "'\\n'", "200", "255",
    "127", "'f'", "'G'", "31", "'\\t'",
];

pub(crate) const BASES: &[&str] = &["0", "10", "16", "8", "2", "36"];

pub(crate) const CALLS: &[(&str, &str)] = &[
    ("string", "note@(strlen($s));"),
    ("string", "note@(strnlen($s, $n));"),
    ("string", "strcpy($t, $s);"),
    ("string", "note@(stpcpy($t1, $s) - ($t1));"),
    ("string", "strncpy($t, $s, $n);"),
    ("string", "strcat($t, $s);"),
    ("string", "strncat($t, $s, $n);"),
    ("string", "note@(sign@(strcmp($s, $s)));"),
    ("string", "note@(sign@(strncmp($s, $s, $n)));"),
    ("string", "note@(sign@(strcasecmp($s, $s)));"),
    ("string", "note@(sign@(strncasecmp($s, $s, $n)));"),
    ("string", "note@(sign@(strcoll($s, $s)));"),
    ("string", "note@(sign@(memcmp($s, $s, $n)));"),
    ("string", "note@(at@(strchr($v1, $c), $v1));"),
    ("string", "note@(at@(strrchr($v1, $c), $v1));"),
    ("string", "note@(at@(strchrnul($v1, $c), $v1));"),
    ("string", "note@(at@(index($v1, $c), $v1));"),
    ("string", "note@(at@(rindex($v1, $c), $v1));"),
    ("string", "note@(at@(memchr($v1, $c, $n), $v1));"),
    ("string", "note@(at@(memrchr($v1, $c, $n), $v1));"),
    ("string", "note@(at@(strstr($v1, $s), $v1));"),
    ("string", "note@(at@(memmem($v1, $m, $s, 1), $v1));"),
    ("string", "note@(at@(strpbrk($v1, $s), $v1));"),
    ("string", "note@(strspn($s, $s));"),
    ("string", "note@(strcspn($s, $s));"),
    ("string", "note@(at@(strtok($t1, \",; \"), $t1)); note@(at@(strtok(0, \",; \"), $t1));"),
    ("string", "note@(at@(strtok_r($t1, $s, &rest), $t1));"),
    ("string", "rest = $t1; note@(at@(strsep(&rest, $s), $t1)); note@(at@(rest, $t1));"),
    ("string", "memcpy($t, $s, $n);"),
    ("string", "memmove($t1 + 1, $t1, $n);"),
    ("string", "memmove($t, $s, $n);"),
    ("string", "note@((char *)mempcpy($t1, $s, $n) - ($t1));"),
    ("string", "note@(at@(memccpy($t1, $s, $c, $n), $t1));"),
    ("string", "memset($t, $c, $n);"),
    ("string", "bzero($t, $n);"),
    ("string", "bcopy($s, $t, $n);"),
    ("string", "note@(bcmp($s, $s, $n) != 0);"),
    ("string", "{ char *p = strdup($s); note@(strlen(p)); note@(p[0]); free(p); }"),
    ("string", "{ char *p = strndup($s, $n); note@(strlen(p)); free(p); }"),
    ("string", "{ char *p = strdup($s); note@(p[0]); }"),
    ("string", "note@(strerror($i) != 0);"),
    ("stdlib", "note@(atoi($s));"),
    ("stdlib", "note@(atol($s));"),
    ("stdlib", "note@(strtol($s, 0, $b));"),
    ("stdlib", "note@(strtol($v1, &end, $b)); note@(at@(end, $v1));"),
    ("stdlib", "note@(strtoul($v1, &end, $b)); note@(at@(end, $v1));"),
    ("stdlib", "note@(strtoll($v1, &end, $b)); note@(at@(end, $v1));"),
    ("stdlib", "note@(abs($i));"),
    ("stdlib", "note@(labs($i));"),
    ("stdlib", "d = div($i, $i); note@(d.quot); note@(d.rem);"),
    ("stdlib", "qsort(numbers@, $m, sizeof(int), up@); note@(numbers@[0] * 8 + numbers@[1]);"),
    ("stdlib", "qsort(numbers@, $m, sizeof(int), down@); note@(numbers@[0] * 8 + numbers@[3]);"),
    (
        "stdlib",
        "qsort(numbers@, 4, sizeof(int), up@); { int k = $m; int *p = bsearch(&k, numbers@, 4, sizeof(int), up@); note@(p ? *p : -1); }",
    ),
    ("stdlib", "heap = realloc(heap, $n + 1); note@(heap == 0);"),
    ("stdlib", "heap = realloc(heap, 9); note@(heap[1]); heap[8] = 1;"),
    ("stdlib", "heap = reallocarray(heap, 3, 3); note@(heap[0]);"),
    ("stdlib", "{ char *p = realloc(0, 4); p[$m] = 1; free(p); }"),
    ("stdlib", "{ char *p = calloc($n, 2); note@(p[1]); free(p); }"),
    ("stdlib", "{ char *p = aligned_alloc(16, 32); p[$j] = 1; free(p); }"),
    ("stdlib", "note@(posix_memalign(&block, 16, 24)); ((char *)block)[$j] = 1; free(block);"),
    ("stdlib", "{ char *p = $t; free(p); }"),
    ("stdlib", "free(heap); heap = calloc(3, 1);"),
    ("stdlib", "note@(getenv(\"WANE_NOT_SET\") == getenv($s) ? 0 : 0);"),
    ("ctype", "note@(isdigit($c) != 0);"),
    ("ctype", "note@(isalpha($c) != 0);"),
    ("ctype", "note@(isalnum($c) != 0);"),
    ("ctype", "note@(isspace($c) != 0);"),
    ("ctype", "note@(isupper($c) != 0);"),
    ("ctype", "note@(islower($c) != 0);"),
    ("ctype", "note@(isprint($c) != 0);"),
    ("ctype", "note@(ispunct($c) != 0);"),
    ("ctype", "note@(isxdigit($c) != 0);"),
    ("ctype", "note@(iscntrl($c) != 0);"),
    ("ctype", "note@(isgraph($c) != 0);"),
    ("ctype", "note@(isblank($c) != 0);"),
    ("ctype", "note@(toupper($c));"),
    ("ctype", "note@(tolower($c));"),
    ("stdio", "note@(snprintf($t, $n, \"%d\", $i));"),
    ("stdio", "note@(snprintf($t, $n, \"%s\", $s));"),
    ("stdio", "note@(snprintf($t, $n, \"%s-%d\", $s, $i));"),
    ("stdio", "note@(snprintf(0, 0, \"%x %c\", $i, 'c'));"),
    ("stdio", "note@(snprintf($t, $n, $s));"),
    ("stdio", "note@(sprintf($t, \"%d\", $i));"),
    ("stdio", "note@(sprintf($t, \"%s\", $s));"),
    ("stdio", "note@(sprintf($t, \"%.2s|\", $s));"),
    ("stdio", "note@(sprintf($t, \"%5d\", $i));"),
    ("stdio", "printf(\"%s\\n\", $s);"),
    ("stdio", "printf(\"%d %d\\n\", $i, $i);"),
    ("stdio", "printf(\"abc%n\", &n); note@(n);"),
    ("stdio", "puts($s);"),
    ("stdio", "putchar($c);"),
    ("stdio", "note@(sscanf($s, \"%d\", &n)); note@(n);"),
    ("stdio", "note@(sscanf($s, \"%3s\", $t));"),
    ("stdio", "sscanf($s, \"%d\", &n); note@(n);"),
    ("stdio", "sscanf($s, \"%3s%ld\", $t, &l); note@((int)l);"),
    ("stdio", "note@(sscanf($s, \"%d %ld\", &n, &l)); note@(n + l);"),
    ("stdio", "note@(sscanf($s, \"%x\", (unsigned *)&n)); note@(n & 255);"),
    ("stdio", "note@(sscanf($s, \"%i %n\", &n, (int *)&l)); note@(n); note@((int)l);"),
    ("stdio", "note@(sscanf($s, \"%2c%ld\", $t, &l)); note@((int)l);"),
    ("stdio", "note@(sscanf($s, \"h%*1s%1s%n\", $t, &n)); note@(n);"),
    (
        "stdio",
        "note@(sscanf(\" 7,-08 0x1Fz +3.5e1e\", \"%d ,%3i%x%c %*f%1s\", &n, (int *)&l, (unsigned *)big, local, local + 1)); note@(n); note@((int)l); note@(local[0]); note@(local[1]);",
    ),
    (
        "stdio",
        "note@(sscanf(\"a\", \"%2c\", $t)); note@(sscanf(\"5 %\", \"%d%%%n\", &n, (int *)&l)); note@((int)l);",
    ),
    (
        "stdio",
        "note@(sscanf($s, \"%2d\\v%lu\", &n, (unsigned long *)&l)); note@(n); note@(l & 255);",
    ),
    (
        "stdio",
        "{ unsigned u = 0; note@(sscanf(\"-3 4\", \"%u%2i\", &u, &n)); note@(u & 255); note@(n); }",
    ),
    ("bits", "note@(ffs($i));"),
    ("bits", "note@(ffsl($i));"),
    ("bits", "note@(__builtin_popcount($i));"),
    ("bits", "note@(__builtin_clz($i | 1));"),
    ("bits", "note@(__builtin_ctz($i | 8));"),
    ("bits", "note@(__builtin_parity($i));"),
    ("bits", "note@(__builtin_bswap32($i) & 0xffff);"),
    ("bits", "note@(__builtin_bswap16($i));"),
    ("bits", "note@(__builtin_abs($i));"),
    ("bits", "note@(__builtin_strlen($s));"),
    ("bits", "__builtin_memcpy($t, $s, $n);"),
    ("bits", "note@(__builtin_expect($i, 1));"),
    ("bits", "{ int r; note@(__builtin_add_overflow($i, $i, &r)); note@(r); }"),
    ("bits", "{ int r; note@(__builtin_mul_overflow($i, $i, &r)); note@(r & 255); }"),
    ("time", "{ long r = time(&l); note@(r == l); note@(l > 0); }"),
    (
        "errno",
        "*__errno_location() = 0; l = strtol(\"99999999999999999999\", 0, 10); note@(*__errno_location() != 0); note@(l & 255);",
    ),
];

/// Functions that `AddressSanitizer` does not watch, so that a run which shows nothing may
/// still be wrong; and `printf` writes `(null)` for a null pointer.
pub(crate) const UNWATCHED: &[&str] = &[
    "memccpy",
    "__builtin_mem",
    "mempcpy",
    "sscanf",
    "bcmp",
    "bcopy",
    "strsep",
    "strtok",
    "strchrnul",
    "strcoll",
    "stpcpy",
    "strtoul",
    "getenv",
    "rindex",
    "qsort",
    "bsearch",
    "nothing",
    "rest",
];

/// Those of them that copy what may not overlap, which nobody sees then. Where runs end that C
/// does not define, a proof that all others end is none of this one.
pub(crate) const UNWATCHED_COPIES: &[&str] =
    &["stpcpy(", "mempcpy(", "memccpy(", "sprintf(", "snprintf("];

/// What the value is made of at last.
pub(crate) const OBSERVATIONS: &[&str] = &[
    "note@(big[$j]);",
    "note@(big[$m]);",
    "note@(local[$m]);",
    "note@(heap ? heap[0] : 7);",
    "note@(text@[$m]);",
    "note@(list@[$m]);",
    "note@(strlen(text@));",
    "note@(n);",
    "note@(empty@[1]);",
];
