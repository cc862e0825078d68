/* How often all open files together can still be read, at most, as with streams. A file
   that is opened adds what it holds. */
static unsigned long long __model_left_in_files;

/* Whether the number above was chosen. */
static int __model_has_files;

/* A file descriptor, or minus one. */
int __model_descriptor(void)
{
    int descriptor = __model_some_int();
    if (descriptor < 0) {
        __model_fail();
        return -1;
    }
    __model_left_in_files = __model_unknown_unsigned();
    __model_has_files = 1;
    return descriptor;
}

/* `some` bytes are read from a file, which is no more than there is. */
static void __model_read_some(long some)
{
    if (__model_endless_input || some <= 0 || __model_is_fed)
        return;
    if (!__model_has_files) {
        __model_left_in_files = __model_some_rounds();
        __model_has_files = 1;
    }
    __model_assume(__model_left_in_files > 0);
    __model_left_in_files--;
}

long __wane_read(int file, void *block, __model_size size)
{
    long some = __model_some_wide();
    __model_assume(some >= -1);
    if (file < 0 || some < 0) {
        __model_fail();
        return -1;
    }
    __model_assume((__model_size)some <= size);
    __model_read_some(some);
    __model_write_bytes(block, some);
    return some;
}

long __wane_pread(int file, void *block, __model_size size, long offset)
{
    long some = __model_some_wide();
    __model_assume(some >= -1);
    if (file < 0 || some < 0) {
        __model_fail();
        return -1;
    }
    __model_assume((__model_size)some <= size);
    __model_write_bytes(block, some);
    return some;
}

/* What is looked at only (MSG_PEEK) stays there; the length of all that came (MSG_TRUNC) may be more
   than there is room for. */
long __wane_recv(int file, void *block, __model_size size, int flags)
{
    long some = 0;
    if (!(flags & 34))
        return __wane_read(file, block, size);
    some = __model_some_wide();
    __model_assume(some >= -1);
    if (file < 0 || some < 0) {
        __model_fail();
        return -1;
    }
    if (!(flags & 32))
        __model_assume((__model_size)some <= size);
    if (!(flags & 2))
        __model_read_some(some);
    __model_write_bytes(block, (__model_size)some < size ? some : size);
    return some;
}

long __wane_write(int file, const void *block, __model_size size)
{
    long some = __model_some_wide();
    __model_read_bytes(block, size);
    __model_assume(some >= -1);
    if (file < 0 || some < 0) {
        __model_fail();
        return -1;
    }
    __model_assume((__model_size)some <= size);
    return __model_progress(some, size);
}

/* Of some bytes at least one is written, but for devices of which little is known. */
static long __model_progress(long some, __model_size size)
{
    if (some == 0 && size > 0)
        __model_assume(__model_unknown_int() == 0);
    return some;
}

long __wane_pwrite(int file, const void *block, __model_size size, long offset)
{
    return __wane_write(file, block, size);
}

long __wane_send(int file, const void *block, __model_size size, int flags)
{
    return __wane_write(file, block, size);
}

long __wane_lseek(int file, long offset, int whence)
{
    if (__model_some_truth()) {
        __model_fail();
        return -1;
    }
    __model_left_in_files = __model_unknown_unsigned();
    __model_has_files = 1;
    return (long)__model_result_wide(0, 9223372036854775807ll);
}

/* __model_reads_own */
int __wane_open(const char *path, int flags, ...)
{
    __wane_strlen(path);
    if (flags & 1024)
        __model_is_fed = 1;
    return __model_descriptor();
}

/* __model_reads_own */
int __wane_openat(int folder, const char *path, int flags, ...)
{
    __wane_strlen(path);
    if (flags & 1024)
        __model_is_fed = 1;
    return __model_descriptor();
}

int __wane_creat(const char *path, unsigned mode)
{
    __wane_strlen(path);
    return __model_descriptor();
}

int __wane_dup(int file)
{
    return __model_descriptor();
}

int __wane_dup2(int file, int wanted)
{
    if (__model_some_truth()) {
        __model_fail();
        return -1;
    }
    return wanted;
}

/* __model_reads_own */
int __wane_pipe(int *ends)
{
    int first = __model_descriptor();
    int second = __model_descriptor();
    __model_is_fed = 1;
    if (first < 0 || second < 0)
        return -1;
    ends[0] = first;
    ends[1] = second;
    return 0;
}

int __wane_socket(int domain, int type, int protocol)
{
    return __model_descriptor();
}

int __wane_listen(int file, int backlog)
{
    return __model_result_status();
}

int __wane_shutdown(int file, int how)
{
    return __model_result_status();
}

int __wane_close(int file)
{
    if (file < 0) {
        __model_fail();
        return -1;
    }
    return __model_result_status();
}

int __wane_fsync(int file)
{
    return __model_result_status();
}

int __wane_ftruncate(int file, long size)
{
    return __model_result_status();
}

int __wane_isatty(int file)
{
    if (file >= 0 && __model_some_truth())
        return 1;
    __model_fail();
    return 0;
}

int __wane_unlink(const char *path)
{
    __wane_strlen(path);
    return __model_result_status();
}

int __wane_rmdir(const char *path)
{
    __wane_strlen(path);
    return __model_result_status();
}

int __wane_chdir(const char *path)
{
    __wane_strlen(path);
    return __model_result_status();
}

int __wane_access(const char *path, int mode)
{
    __wane_strlen(path);
    return __model_result_status();
}

int __wane_mkdir(const char *path, unsigned mode)
{
    __wane_strlen(path);
    return __model_result_status();
}

int __wane_chmod(const char *path, unsigned mode)
{
    __wane_strlen(path);
    return __model_result_status();
}

int __wane_link(const char *from, const char *to)
{
    __wane_strlen(from);
    __wane_strlen(to);
    return __model_result_status();
}

int __wane_symlink(const char *from, const char *to)
{
    __wane_strlen(from);
    __wane_strlen(to);
    return __model_result_status();
}

long __wane_readlink(const char *path, char *buffer, __model_size size)
{
    long some = __model_some_wide();
    __wane_strlen(path);
    __model_assume(some >= -1);
    if (some < 0) {
        __model_fail();
        return -1;
    }
    __model_assume((__model_size)some <= size);
    __model_write_bytes(buffer, some);
    return some;
}

char *__wane_getcwd(char *buffer, __model_size size)
{
    __model_size length = __model_some_size();
    __model_assume(length < 4096);
    if (__model_some_truth()) {
        __model_fail();
        return 0;
    }
    if (!buffer) {
        if (!size)
            size = length + 1;
        buffer = __model_allocate(size);
        if (!buffer)
            return 0;
    }
    __model_assume(length < size);
    __model_write_bytes(buffer, length);
    buffer[length] = 0;
    return buffer;
}

static char *__model_login_text;

char *__wane_getlogin(void)
{
    return __model_some_truth() ? __model_fixed_text(&__model_login_text, 256) : 0;
}

int __wane_gethostname(char *buffer, __model_size size)
{
    __model_write_bytes(buffer, size);
    if (size && __model_some_truth())
        buffer[size - 1] = 0;
    return __model_result_status();
}

static int __model_knows_process;

static int __model_process;

int __wane_getpid(void)
{
    return __model_same_number(&__model_knows_process, &__model_process, 1, 4194304);
}

int __wane_getppid(void)
{
    return __model_result_between(0, 4194304);
}

static int __model_knows_user;

static int __model_user;

unsigned __wane_getuid(void)
{
    return __model_same_number(&__model_knows_user, &__model_user, -2147483647 - 1, 2147483647);
}

unsigned __wane_geteuid(void)
{
    return __model_unknown_int();
}

unsigned __wane_getgid(void)
{
    return __model_unknown_int();
}

unsigned __wane_getegid(void)
{
    return __model_unknown_int();
}

/* No signal has a handler, which alone would end it early; but others may have set one for a function
   by itself. */
unsigned __wane_sleep(unsigned seconds)
{
    unsigned left;
    if (!__model_awaits())
        return 0;
    left = __model_unknown_unsigned();
    __model_assume(left <= seconds);
    return left;
}

int __wane_usleep(unsigned time)
{
    return __model_result_status();
}

unsigned __wane_alarm(unsigned seconds)
{
    __model_unsupported("a signal that comes at some time");
    return 0;
}

long __wane_sysconf(int name)
{
    if (name != 30 && __model_some_truth()) {
        __model_fail();
        return -1;
    }
    /* 30 asks for the bytes of a page. */
    return (long)__model_result_wide(name == 30, 9223372036854775807ll);
}

int __wane_getpagesize(void)
{
    return __model_result_between(1, 1073741824);
}

struct __model_iovec {
    void *base;
    __model_size length;
};

long __wane_readv(int file, const struct __model_iovec *parts, int count)
{
    long all = 0;
    int i = 0;
    for (i = 0; i < count; i++) {
        long some = __wane_read(file, parts[i].base, parts[i].length);
        if (some < 0)
            return all ? all : -1;
        all += some;
        if ((__model_size)some < parts[i].length)
            break;
    }
    return all;
}

long __wane_writev(int file, const struct __model_iovec *parts, int count)
{
    long all = 0;
    int i = 0;
    for (i = 0; i < count; i++)
        __model_read_bytes(parts[i].base, parts[i].length);
    all = __model_some_wide();
    if (all < 0) {
        __model_fail();
        return -1;
    }
    return all;
}

extern char *__wane_optarg;

extern int __wane_optind;

extern int __wane_opterr;

extern int __wane_optopt;

/* An option takes at least one character of the arguments, of which there are finitely
   many: `optind` never falls, and ends at `count`. */
static unsigned long long __model_option_characters;

static int __model_has_options;

/* What `optind` was left at: with another value the program begins again. */
static int __model_option_index = 1;

/* How many characters there are from here on. */
static unsigned long long __model_option_begun(void)
{
    return __model_has_options ? __model_unknown_unsigned() : __model_some_rounds();
}

/* Once less. The run ends silently where nothing is left. */
static unsigned long long __model_option_less(unsigned long long left)
{
    __model_assume(left > 0);
    return left - 1;
}

/* What `main` was given, and how many texts that are. */
static char *const *__model_arguments;

static int __model_argument_count;

void __model_note_arguments(char **texts, int count)
{
    if (__model_arguments)
        return;
    __model_arguments = texts;
    __model_argument_count = count;
}

/* What other arguments than those of `main` hold where options are read. */
static char *__model_option_rest;

/* The text behind an option is the rest of one of the arguments. Those of `main` are any texts. */
static char *__model_option_text(void)
{
    return __model_option_rest ? __model_option_rest : __model_lasting_text(131071);
}

/* An argument that is still to be read. */
static void __model_read_argument(int count, char *const *arguments)
{
    int place = 0;
    __model_size start = 0;
    __model_option_rest = 0;
    if (arguments == __model_arguments && count <= __model_argument_count)
        return;
    place = __model_unknown_int();
    start = __model_unknown_size();
    __model_assume(place >= __wane_optind);
    __model_assume(place < count);
    __model_assume(start <= __wane_strlen(arguments[place]));
    __model_option_rest = arguments[place] + start;
}

/* Whether there is one more option; it takes a character. */
static int __model_takes_option(int count, char *const *arguments)
{
    int next = __model_some_int();
    if (__wane_optind != __model_option_index)
        __model_option_characters = __model_option_begun();
    else if (!__model_has_options)
        __model_option_characters = __model_some_rounds();
    __model_has_options = 1;
    if (__wane_optind < 1)
        __wane_optind = 1;
    __model_option_index = __wane_optind;
    __wane_optarg = 0;
    if (__wane_optind >= count)
        return 0;
    __model_read_argument(count, arguments);
    if (__model_some_truth())
        return 0;
    __model_assume(next >= __wane_optind);
    __model_assume(next <= count);
    __wane_optind = next;
    __model_option_index = next;
    __model_option_characters = __model_option_less(__model_option_characters);
    return 1;
}

/* __model_note_arguments */
int __wane_getopt(int count, char *const *arguments, const char *options)
{
    __wane_strlen(options);
    return __model_takes_option(count, arguments) ? __model_option(options) : -1;
}

struct __model_long_option {
    const char *name;
    int has_argument;
    int *flag;
    int value;
};

/* __model_note_arguments */
int __wane_getopt_long(int count, char *const *arguments, const char *options,
                       const struct __model_long_option *all, int *index)
{
    __wane_strlen(options);
    if (!__model_takes_option(count, arguments))
        return -1;
    return __model_some_truth() ? __model_option(options) : __model_named_option(all, index);
}

/* __model_note_arguments */
int __wane_getopt_long_only(int count, char *const *arguments, const char *options,
                            const struct __model_long_option *all, int *index)
{
    return __wane_getopt_long(count, arguments, options, all, index);
}

/* One of the options with names, or what says that there is no such. */
static int __model_named_option(const struct __model_long_option *all, int *index)
{
    int place = __model_some_int();
    int i = 0;
    for (i = 0; all[i].name; i++) {
        __wane_strlen(all[i].name);
        if (i == place) {
            if (index)
                *index = i;
            if (all[i].has_argument == 1 || (all[i].has_argument == 2 && __model_some_truth()))
                __wane_optarg = __model_option_text();
            if (!all[i].flag)
                return all[i].value;
            *all[i].flag = all[i].value;
            return 0;
        }
    }
    return '?';
}

/* An option: one of the letters, or what says that there is no such or no argument. */
static int __model_option(const char *options)
{
    __model_size length = __wane_strlen(options);
    __model_size place = __model_some_size();
    int may_have_argument = 0;
    int may_have_none = 0;
    __wane_optopt = __model_result_input(1, 255);
    if (length == 0 || __model_some_truth())
        return '?';
    if (options[0] == '-' && __model_some_truth()) {
        __wane_optarg = __model_option_text();
        return 1;
    }
    __model_assume(place < length);
    __model_assume(options[place] != ':');
    __model_assume(options[place] != '+');
    may_have_argument = options[place + 1] == ':';
    may_have_none = may_have_argument && place + 2 < length && options[place + 2] == ':';
    if (may_have_none ? __model_some_truth() : may_have_argument)
        __wane_optarg = __model_option_text();
    if (may_have_argument && !may_have_none && __model_some_truth()) {
        __wane_optarg = 0;
        __wane_optopt = options[place];
        return options[0] == ':' ? ':' : '?';
    }
    return (unsigned char)options[place];
}

int __wane_ioctl(int file, unsigned long request, ...)
{
    __model_clobber("a request to a device");
    return __model_unknown_int();
}

/* What commands do that write through a third argument is not modelled. */
int __wane_fcntl(int file, int command, ...)
{
    if (command == 0 || command == 1030)
        return __model_descriptor();
    if (command != 1 && command != 2 && command != 3 && command != 4 && command != 6 && command != 7)
        __model_clobber("a command for a file");
    if (__model_some_truth()) {
        __model_fail();
        return -1;
    }
    return __model_result_between(0, 2147483647);
}

int __wane_flock(int file, int operation)
{
    return __model_result_status();
}

int __wane_fchmod(int file, unsigned mode)
{
    return __model_result_status();
}

int __wane_chown(const char *path, unsigned user, unsigned group)
{
    __wane_strlen(path);
    return __model_result_status();
}

int __wane_fchown(int file, unsigned user, unsigned group)
{
    return __model_result_status();
}

int __wane_fdatasync(int file)
{
    return __model_result_status();
}

int __wane_truncate(const char *path, long size)
{
    __wane_strlen(path);
    return __model_result_status();
}

int __wane_mkfifo(const char *path, unsigned mode)
{
    __wane_strlen(path);
    return __model_result_status();
}

int __wane_utime(const char *path, const void *times)
{
    __wane_strlen(path);
    if (times)
        __model_read_bytes(times, 2 * sizeof(long));
    return __model_result_status();
}
