/* A stream that is read ends: `left` says how often it can still be read, at most. Of a
   finite stream any large number says that. `stdin`, `stdout` and `stderr` are open from
   the start. */
struct __model_stream {
    unsigned long long left;
    /* 1 at the end, 2 where reading failed. */
    int state;
    /* A byte that was put back, plus 1. */
    int pushed;
    int is_pipe;
    /* Whether the program has opened it. */
    int is_own;
};

/* The three streams that are open from the start. */
extern struct __model_stream *__wane_stdin;

/* __model_use_output */
extern struct __model_stream *__wane_stdout;

/* __model_use_errors */
extern struct __model_stream *__wane_stderr;

/* Standard output is used, in programs that name it and so may close it. */
void __model_use_output(void)
{
    __model_use(__wane_stdout);
}

void __model_use_errors(void)
{
    __model_use(__wane_stderr);
}

/* Reading has come to the end or has failed. */
void __model_note_end(struct __model_stream *stream)
{
    stream->state = __model_some_truth() ? 1 : 2;
}

/* What was read may be the last there is. Runs know when they come to the end. */
void __model_may_end(struct __model_stream *stream)
{
}

void __summary_may_end(struct __model_stream *stream)
{
    if (__model_some_truth())
        stream->state = 1;
}

int __model_at_end(struct __model_stream *stream)
{
    return stream->state == 1;
}

/* A byte that was put back, plus 1. */
int __model_take_back(struct __model_stream *stream)
{
    int pushed = stream->pushed;
    stream->pushed = 0;
    return pushed;
}

/* The same, where more than one byte is read: runs read it first. __model_take_back */
int __model_take_first(struct __model_stream *stream)
{
    return 0;
}

int __summary_take_first(struct __model_stream *stream)
{
    if (stream->pushed)
        __model_clobber("a byte that was put back is read with others");
    return 0;
}

/* A file that the program appends to need not end for it. */
int __model_appends(const char *mode)
{
    if (mode[0] == 'a')
        __model_is_fed = 1;
    return 0;
}

int __model_reads_own(struct __model_stream *stream)
{
    return __model_is_fed && stream->is_own;
}

/* How often a stream can be read from here on. */
static unsigned long long __model_stream_begun(void)
{
    return __model_some_rounds();
}

/* Once less. The run ends silently where nothing is left. */
static unsigned long long __model_stream_less(unsigned long long left)
{
    __model_assume(left > 0);
    return left - 1;
}

/* Once more. */
static unsigned long long __model_stream_more(unsigned long long left)
{
    __model_assume(left < 18446744073709551615ull);
    return left + 1;
}

/* Something is read from a stream. The run ends silently where nothing is left. */
static void __model_consume(struct __model_stream *stream)
{
    if (__model_endless_input || __optional_reads_own(stream))
        return;
    stream->left = __model_stream_less(stream->left);
}

/* What a function that writes to a stream does with it. */
static void __model_use(struct __model_stream *stream)
{
    unsigned long long left = stream->left;
}

static struct __model_stream *__model_new_stream(void)
{
    struct __model_stream *stream = 0;
    if (__model_some_truth()) {
        __model_fail();
        return 0;
    }
    stream = __model_begin_stream(sizeof(struct __model_stream));
    stream->left = __model_stream_begun();
    stream->state = 0;
    stream->pushed = 0;
    stream->is_pipe = 0;
    stream->is_own = 1;
    return stream;
}

/* __model_appends __model_reads_own */
struct __model_stream *__wane_fopen(const char *path, const char *mode)
{
    struct __model_stream *stream = __model_fopen_anew(path, mode);
    if (stream)
        __optional_appends(mode);
    return stream;
}

/* The same for a file that nothing is appended to. */
struct __model_stream *__model_fopen_anew(const char *path, const char *mode)
{
    __wane_strlen(path);
    __wane_strlen(mode);
    if (!*path) {
        __model_fail();
        return 0;
    }
    return __model_new_stream();
}

struct __model_stream *__wane_fopen64(const char *path, const char *mode)
{
    return __wane_fopen(path, mode);
}

/* __model_reads_own */
struct __model_stream *__wane_fdopen(int descriptor, const char *mode)
{
    __wane_strlen(mode);
    return __model_new_stream();
}

/* What it holds is what was written, which is not kept. */
struct __model_stream *__wane_tmpfile(void)
{
    struct __model_stream *stream = __model_new_stream();
    if (stream)
        __model_assume(__model_unknown_int() == 0);
    return stream;
}

/* __model_be_a_file */
struct __model_stream *__wane_popen(const char *command, const char *mode)
{
    struct __model_stream *stream = 0;
    __wane_strlen(command);
    __wane_strlen(mode);
    stream = __model_new_stream();
    if (stream)
        stream->is_pipe = 1;
    return stream;
}

void __model_be_a_file(struct __model_stream *stream)
{
    if (stream->is_pipe)
        __model_undefined("`fclose` of what `popen` has opened");
}

int __wane_fclose(struct __model_stream *stream)
{
    __model_use(stream);
    __optional_be_a_file(stream);
    __model_end_stream(stream);
    return __model_result_end();
}

int __wane_pclose(struct __model_stream *stream)
{
    __model_use(stream);
    if (!stream->is_pipe)
        __model_undefined("`pclose` of what `popen` has not opened");
    __model_end_stream(stream);
    return __model_some_int();
}

/* __model_appends __model_reads_own */
struct __model_stream *__wane_freopen(const char *path, const char *mode, struct __model_stream *stream)
{
    if (path)
        __wane_strlen(path);
    __wane_strlen(mode);
    __optional_appends(mode);
    __model_use(stream);
    if (__model_some_truth()) {
        __model_end_stream(stream);
        __model_fail();
        return 0;
    }
    stream->left = __model_stream_begun();
    stream->state = 0;
    stream->pushed = 0;
    stream->is_own = 1;
    return stream;
}

/* Zero, or `EOF`. */
int __model_result_end(void)
{
    return __model_some_truth() ? 0 : -1;
}

int __wane_fflush(struct __model_stream *stream)
{
    if (stream)
        __model_use(stream);
    return __model_result_end();
}

/* The next byte of a stream in a run, or -1: what was put back first, and nothing behind the end. */
static int __model_next_byte(struct __model_stream *stream)
{
    int c;
    if (stream->pushed) {
        c = stream->pushed - 1;
        stream->pushed = 0;
        return c;
    }
    c = __model_some_int();
    __model_assume(c >= -1);
    __model_assume(c <= 255);
    if (stream->state == 1)
        __model_assume(c < 0);
    if (c < 0)
        stream->state = 1;
    return c;
}

/* A byte, or `EOF`: at the end, or where reading fails. */
int __wane_fgetc(struct __model_stream *stream)
{
    int c;
    __model_use(stream);
    c = __model_next_byte(stream);
    if (c >= 0)
        __model_consume(stream);
    return c;
}

int __summary_fgetc(struct __model_stream *stream)
{
    int c = __model_some_int();
    int pushed = __optional_take_back(stream);
    __model_use(stream);
    if (pushed) {
        __model_consume(stream);
        return pushed - 1;
    }
    if (__optional_at_end(stream))
        return -1;
    __model_assume(c >= -1);
    __model_assume(c <= 255);
    if (c >= 0)
        __model_consume(stream);
    else
        __optional_note_end(stream);
    return c;
}

int __wane_getc(struct __model_stream *stream)
{
    return __wane_fgetc(stream);
}

int __wane_getc_unlocked(struct __model_stream *stream)
{
    return __wane_fgetc(stream);
}

int __wane_fgetc_unlocked(struct __model_stream *stream)
{
    return __wane_fgetc(stream);
}

int __wane__IO_getc(struct __model_stream *stream)
{
    return __wane_fgetc(stream);
}

int __wane_getchar(void)
{
    return __wane_fgetc(__wane_stdin);
}

int __wane_getchar_unlocked(void)
{
    return __wane_fgetc(__wane_stdin);
}

/* One byte can be put back. Runs put none back before that is read again. __model_take_back
   __model_take_first */
int __wane_ungetc(int c, struct __model_stream *stream)
{
    __model_assume(!stream->pushed);
    return __summary_ungetc(c, stream);
}

int __summary_ungetc(int c, struct __model_stream *stream)
{
    __model_use(stream);
    if (c == -1)
        return -1;
    if (stream->pushed && __model_some_truth())
        return -1;
    stream->left = __model_stream_more(stream->left);
    if (stream->pushed)
        __model_clobber("a second byte that is put back");
    stream->pushed = (unsigned char)c + 1;
    if (stream->state == 1)
        stream->state = 0;
    return (unsigned char)c;
}

char *__wane_fgets(char *buffer, int limit, struct __model_stream *stream)
{
    int length = 0;
    int c = 0;
    __model_use(stream);
    if (limit <= 0)
        return 0;
    while (length < limit - 1 && c != 10) {
        c = __model_next_byte(stream);
        if (c < 0)
            break;
        buffer[length] = (char)c;
        length++;
    }
    if (length == 0 && limit > 1)
        return 0;
    if (length > 0)
        __model_consume(stream);
    buffer[length] = 0;
    return buffer;
}

char *__summary_fgets(char *buffer, int limit, struct __model_stream *stream)
{
    int length = __model_some_int();
    __optional_take_first(stream);
    __model_use(stream);
    if (limit <= 0)
        return 0;
    if (limit == 1) {
        buffer[0] = 0;
        return buffer;
    }
    if (__optional_at_end(stream))
        return 0;
    __model_assume(length >= 1);
    __model_assume(length < limit);
    if (__model_some_truth()) {
        __optional_note_end(stream);
        /* An error in the middle of a line leaves what was read. */
        if (__model_some_truth())
            __model_write_bytes(buffer, length);
        return 0;
    }
    __model_consume(stream);
    __optional_may_end(stream);
    __model_write_bytes(buffer, length);
    buffer[length] = 0;
    return buffer;
}

char *__wane_gets(char *buffer)
{
    __model_size length = 0;
    int c = __model_next_byte(__wane_stdin);
    if (c < 0)
        return 0;
    __model_consume(__wane_stdin);
    while (c >= 0 && c != 10) {
        buffer[length] = (char)c;
        length++;
        c = __model_next_byte(__wane_stdin);
    }
    buffer[length] = 0;
    return buffer;
}

char *__summary_gets(char *buffer)
{
    __model_size length = __model_some_size();
    if (__model_some_truth()) {
        __optional_note_end(__wane_stdin);
        return 0;
    }
    __model_consume(__wane_stdin);
    __optional_may_end(__wane_stdin);
    __model_write_bytes(buffer, length);
    buffer[length] = 0;
    return buffer;
}

__model_size __wane_fread(void *block, __model_size size, __model_size count, struct __model_stream *stream)
{
    __model_size read = 0;
    __model_assume(!stream->pushed);
    if (stream->state != 1)
        read = __summary_fread(block, size, count, stream);
    if (size > 0 && read < count)
        stream->state = 1;
    return read;
}

__model_size __summary_fread(void *block, __model_size size, __model_size count, struct __model_stream *stream)
{
    __model_size read = __model_some_size();
    __model_use(stream);
    if (size == 0 || count == 0)
        return 0;
    __optional_take_first(stream);
    if (__optional_at_end(stream))
        return 0;
    __model_assume(read <= count);
    if (read > 0)
        __model_consume(stream);
    if (read < count) {
        /* What is there of one more element. */
        __model_size part = __model_some_size();
        __model_assume(part < size);
        __optional_note_end(stream);
        __model_write_bytes(block, size * read + part);
        return read;
    }
    __model_write_bytes(block, size * read);
    return read;
}

__model_size __wane_fwrite(const void *block, __model_size size, __model_size count, struct __model_stream *stream)
{
    __model_size written = __model_some_size();
    __model_use(stream);
    __model_read_bytes(block, size * count);
    if (size == 0)
        return 0;
    __model_assume(written <= count);
    return written;
}

int __wane_fputc(int c, struct __model_stream *stream)
{
    __model_use(stream);
    return __model_some_truth() ? (unsigned char)c : -1;
}

int __wane_putc(int c, struct __model_stream *stream)
{
    return __wane_fputc(c, stream);
}

int __wane_putc_unlocked(int c, struct __model_stream *stream)
{
    return __wane_fputc(c, stream);
}

int __wane_putchar(int c)
{
    __optional_use_output();
    return __model_some_truth() ? (unsigned char)c : -1;
}

int __wane_putchar_unlocked(int c)
{
    return __wane_putchar(c);
}

int __wane_fputs(const char *text, struct __model_stream *stream)
{
    __model_use(stream);
    __wane_strlen(text);
    return __model_result_written();
}

int __wane_puts(const char *text)
{
    __optional_use_output();
    __wane_strlen(text);
    return __model_result_written();
}

/* A number that is not negative, or `EOF`. */
int __model_result_written(void)
{
    return __model_result_between(-1, 2147483647);
}

/* __model_note_end __model_may_end __model_at_end */
int __wane_feof(struct __model_stream *stream)
{
    return stream->state == 1 ? __model_result_nonzero() : 0;
}

/* Writing may have failed, too, which is not followed. __model_note_end __model_may_end __model_at_end */
int __wane_ferror(struct __model_stream *stream)
{
    if (stream->state == 2)
        return __model_result_nonzero();
    if (stream->state)
        return 0;
    return stream->is_own ? __model_some_int() : __model_unknown_int();
}

void __wane_clearerr(struct __model_stream *stream)
{
    stream->state = 0;
}

int __wane_fileno(struct __model_stream *stream)
{
    __model_use(stream);
    if (__model_some_truth()) {
        __model_fail();
        return -1;
    }
    return __model_result_between(0, 1048575);
}

void __wane_flockfile(struct __model_stream *stream)
{
    __model_use(stream);
}

void __wane_funlockfile(struct __model_stream *stream)
{
    __model_use(stream);
}

/* At another place of the file there is something to read again. */
int __wane_fseek(struct __model_stream *stream, long offset, int whence)
{
    __model_use(stream);
    if (whence < 0 || whence > 4 || __model_some_truth()) {
        __model_fail();
        return -1;
    }
    stream->left = __model_stream_begun();
    stream->state = 0;
    stream->pushed = 0;
    return 0;
}

int __wane_fseeko(struct __model_stream *stream, long offset, int whence)
{
    return __wane_fseek(stream, offset, whence);
}

void __wane_rewind(struct __model_stream *stream)
{
    __model_use(stream);
    stream->left = __model_stream_begun();
    stream->state = 0;
    stream->pushed = 0;
}

long __wane_ftell(struct __model_stream *stream)
{
    __model_use(stream);
    if (__model_some_truth()) {
        __model_fail();
        return -1;
    }
    return (long)__model_result_wide(0, (long)(~0ul >> 1));
}

long __wane_ftello(struct __model_stream *stream)
{
    return __wane_ftell(stream);
}

void __wane_setbuf(struct __model_stream *stream, char *buffer)
{
    __model_use(stream);
    if (buffer)
        __model_clobber("a buffer for a stream, which is written to at any time");
}

int __wane_setvbuf(struct __model_stream *stream, char *buffer, int mode, __model_size size)
{
    __model_use(stream);
    if (buffer)
        __model_clobber("a buffer for a stream, which is written to at any time");
    return __model_result_end();
}

long __wane_getdelim(char **line, __model_size *size, int last, struct __model_stream *stream)
{
    __model_size length = 0;
    int c = -2;
    last = (unsigned char)last;
    __model_use(stream);
    if (!*line) {
        *line = __model_allocate(120);
        if (!*line)
            return -1;
        *size = 120;
    }
    while (c != last) {
        c = __model_next_byte(stream);
        if (c < 0)
            break;
        if (*size < length + 2) {
            __model_size more = 2 * *size + 2;
            char *larger = __model_allocate(more);
            if (!larger)
                return -1;
            __model_copy(larger, *line, length);
            __model_release(*line);
            *line = larger;
            *size = more;
        }
        (*line)[length] = (char)c;
        length++;
    }
    if (length == 0)
        return -1;
    __model_consume(stream);
    (*line)[length] = 0;
    return (long)length;
}

long __summary_getdelim(char **line, __model_size *size, int last, struct __model_stream *stream)
{
    __model_size length = __model_some_size();
    __optional_take_first(stream);
    __model_use(stream);
    if (__optional_at_end(stream) || __model_some_truth()) {
        __optional_note_end(stream);
        /* The GNU library makes the buffer first. */
        if (!*line && __model_some_truth()) {
            *line = __model_allocate(120);
            *size = *line ? 120 : 0;
        }
        return -1;
    }
    __model_consume(stream);
    __optional_may_end(stream);
    __model_assume(length >= 1);
    __model_assume(length < 2147483647);
    if (!*line || *size <= length) {
        __model_size capacity = __model_some_size();
        __model_assume(capacity > length);
        __model_assume(capacity < 4294967296);
        __model_release(*line);
        *line = __model_allocate(capacity);
        if (!*line)
            return -1;
        *size = capacity;
    }
    __model_write_bytes(*line, length);
    (*line)[length] = 0;
    return (long)length;
}

long __wane_getline(char **line, __model_size *size, struct __model_stream *stream)
{
    return __wane_getdelim(line, size, 10, stream);
}

int __wane_remove(const char *path)
{
    __wane_strlen(path);
    return __model_result_status();
}

int __wane_rename(const char *from, const char *to)
{
    __wane_strlen(from);
    __wane_strlen(to);
    return __model_result_status();
}

void __wane_perror(const char *text)
{
    __optional_use_errors();
    if (text)
        __wane_strlen(text);
}
