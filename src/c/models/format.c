/* `printf` and its like: `c::lower::format` calls the functions below, a call for each
   part of the format. */
extern int __wane_printf(const char *format, ...); /* __wane_strlen __wane_strnlen __wane_wcslen __model_limited_length __model_padded __model_result_printed */

extern int __wane_fprintf(struct __model_stream *stream, const char *format, ...); /* __model_use __wane_printf */

extern int __wane_dprintf(int descriptor, const char *format, ...); /* __wane_printf */

extern int __wane_sprintf(char *buffer, const char *format, ...); /* __wane_printf __model_append __model_append_any __model_append_signed __model_append_unsigned __model_append_based_signed __model_append_based __model_finish */

extern int __wane_snprintf(char *buffer, __model_size limit, const char *format, ...); /* __wane_sprintf */

extern void __wane_syslog(int priority, const char *format, ...); /* __wane_printf */

extern int __wane_vprintf(const char *format, __builtin_va_list arguments); /* __wane_printf */

extern int __wane_vfprintf(struct __model_stream *stream, const char *format, __builtin_va_list arguments); /* __model_use __wane_printf */

extern int __wane_vsprintf(char *buffer, const char *format, __builtin_va_list arguments); /* __wane_sprintf */

extern int __wane_vsnprintf(char *buffer, __model_size limit, const char *format, __builtin_va_list arguments); /* __wane_sprintf */

extern int __wane_asprintf(char **target, const char *format, ...); /* __wane_printf __model_put_in_new_block */

extern int __wane_vasprintf(char **target, const char *format, __builtin_va_list arguments); /* __wane_asprintf */

/* A text that is not modelled, with some length between two bounds, in a new block. */
int __model_put_in_new_block(char **target, __model_size low, __model_size high)
{
    __model_size length = low;
    char *block;
    if (low < high) {
        length = __model_unknown_size();
        __model_assume(length >= low);
        __model_assume(length <= high);
    }
    block = __model_allocate(length + 1);
    *target = block;
    if (!block)
        return -1;
    __model_fill(block, __model_unknown_int(), length);
    block[length] = 0;
    return (int)length;
}

/* How many bytes were written, between two bounds, or a negative number. */
int __model_result_printed(int low, int high)
{
    if (__model_some_truth())
        return -1;
    if (low == high)
        return low;
    return __model_result_between(low, high);
}

/* Puts a text behind `end` bytes of a buffer, as far as it fits; yields the new end. */
__model_size __model_append(char *buffer, __model_size limit, __model_size end, const char *text, __model_size length)
{
    if (end < limit) {
        __model_size room = limit - end;
        __model_copy_apart(buffer + end, text, length < room ? length : room);
        if (buffer + end == text)
            __model_undefined("a copy between bytes that overlap");
        if (room <= length)
            __model_apart(buffer + end, text, length);
    }
    return end + length;
}

/* What is written is in none of the places of a text, up to its end. */
void __model_apart(char *written, const char *text, __model_size length)
{
    __model_size i = 0;
    for (i = 0; i <= length; i++)
        if (text + i == written)
            __model_undefined("a copy between bytes that overlap");
}

void __summary_apart(char *written, const char *text, __model_size length)
{
    __model_size i = __model_unknown_size();
    __model_assume(i <= length);
    if (text + i == written)
        __model_undefined("a copy between bytes that overlap");
}

/* The length of a text up to a precision; a negative one is none. */
__model_size __model_limited_length(const char *text, int limit)
{
    return limit < 0 ? __wane_strlen(text) : __wane_strnlen(text, limit);
}

/* The length of a text with the blanks that fill it up to a width. */
__model_size __model_padded(__model_size length, __model_size width)
{
    return length < width ? width : length;
}

/* Characters that are not modelled, as far as they fit. First the memory is touched, with
   that of the end: up to there a run may be a counterexample. */
static void __model_put_any(char *buffer, __model_size limit, __model_size end, __model_size length)
{
    if (end < limit) {
        __model_size room = limit - end;
        __model_fill(buffer + end, 0, length < room ? length + 1 : room);
        __model_fill(buffer + end, __model_unknown_int(), length < room ? length : room);
    }
}

/* The same with a text that is not modelled and has some length between two bounds. */
__model_size __model_append_any(char *buffer, __model_size limit, __model_size end, __model_size low, __model_size high)
{
    __model_size length = low;
    __model_put_any(buffer, limit, end, low);
    if (low < high) {
        length = __model_unknown_size();
        __model_assume(length >= low);
        __model_assume(length <= high);
        __model_put_any(buffer, limit, end, length);
    }
    return end + length;
}

/* The same with a number in decimal, of at most some characters. */
__model_size __model_append_unsigned(char *buffer, __model_size limit, __model_size end, unsigned long long value, __model_size most)
{
    char digits[20];
    int n_digits = 0;
    do {
        digits[19 - n_digits] = (char)('0' + value % 10);
        value /= 10;
        n_digits++;
    } while (value);
    return __model_append(buffer, limit, end, digits + 20 - n_digits, n_digits);
}

__model_size __summary_append_unsigned(char *buffer, __model_size limit, __model_size end, unsigned long long value, __model_size most)
{
    return __model_append_any(buffer, limit, end, 1, most);
}

__model_size __model_append_signed(char *buffer, __model_size limit, __model_size end, long long value, __model_size most)
{
    if (value < 0) {
        end = __model_append(buffer, limit, end, "-", 1);
        return __model_append_unsigned(buffer, limit, end, -(unsigned long long)value, most);
    }
    return __model_append_unsigned(buffer, limit, end, value, most);
}

__model_size __summary_append_signed(char *buffer, __model_size limit, __model_size end, long long value, __model_size most)
{
    return __model_append_any(buffer, limit, end, 1, most);
}

/* The same with a number of at least some digits to some base up to 16; `ten` is the letter of the
   digit ten. */
__model_size __model_append_based(char *buffer, __model_size limit, __model_size end, unsigned long long value, int base, int ten, __model_size digits, __model_size most)
{
    char text[64];
    __model_size n_digits = 0;
    while (n_digits < 64 && (value || n_digits < digits)) {
        int digit = (int)(value % base);
        text[63 - n_digits] = (char)(digit < 10 ? '0' + digit : ten + digit - 10);
        value /= base;
        n_digits++;
    }
    return __model_append(buffer, limit, end, text + 64 - n_digits, n_digits);
}

__model_size __summary_append_based(char *buffer, __model_size limit, __model_size end, unsigned long long value, int base, int ten, __model_size digits, __model_size most)
{
    return __model_append_any(buffer, limit, end, digits, most);
}

__model_size __model_append_based_signed(char *buffer, __model_size limit, __model_size end, long long value, __model_size digits, __model_size most)
{
    if (value < 0) {
        end = __model_append(buffer, limit, end, "-", 1);
        return __model_append_based(buffer, limit, end, -(unsigned long long)value, 10, 'a', digits, most);
    }
    return __model_append_based(buffer, limit, end, value, 10, 'a', digits, most);
}

__model_size __summary_append_based_signed(char *buffer, __model_size limit, __model_size end, long long value, __model_size digits, __model_size most)
{
    return __model_append_any(buffer, limit, end, digits, most);
}

/* Ends a text in a buffer. */
int __model_finish(char *buffer, __model_size limit, __model_size end)
{
    if (end < limit)
        buffer[end] = 0;
    else if (limit > 0)
        buffer[limit - 1] = 0;
    return (int)end;
}

/* `scanf` and its like: `c::lower::format` calls the functions below. */
extern int __wane_scanf(const char *format, ...); /* __wane_strlen __wane_stdin __model_use __model_consume __model_some_truth __model_scan_text __model_scan_text_wide __model_scan_bytes __model_has_ended __model_ends_here __model_stops_here __model_behind_number __model_behind_word __model_behind_skipped __model_behind_bytes __model_behind_letter __model_drop_blanks __model_skip_blanks */

extern int __wane_fscanf(struct __model_stream *stream, const char *format, ...); /* __wane_scanf */

extern int __wane_sscanf(const char *text, const char *format, ...); /* __wane_scanf __wane_strlen __model_byte_at __model_blanks __model_word_length __model_scan_word __model_letters_length __model_scan_letters __model_number_length __model_number_value __model_float_length */

static int __model_is_blank(char c)
{
    return c == ' ' || (c >= 9 && c <= 13);
}

/* What `scanf` leaves in a stream is the next byte, which is put back, or the end. Runs know it;
   for proofs reads are independent of each other. */
int __model_has_ended(struct __model_stream *stream)
{
    return stream->state == 1 && !stream->pushed;
}

int __summary_has_ended(struct __model_stream *stream)
{
    return __model_unknown_int() != 0;
}

/* Nothing more is there. */
void __model_ends_here(struct __model_stream *stream)
{
    __model_assume(!stream->pushed);
    stream->state = 1;
}

void __summary_ends_here(struct __model_stream *stream)
{
}

static int __model_is_part_of_number(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.';
}

/* Something else is there than a number, or than a letter if that is given; or nothing, if
   something was found before. */
void __model_stops_here(struct __model_stream *stream, int n_found, int letter)
{
    int c;
    __model_assume(stream->state != 1 || stream->pushed || n_found > 0);
    if (stream->pushed) {
        c = stream->pushed - 1;
        __model_assume(!__model_is_blank((char)c) || letter);
        __model_assume(letter ? c != letter : !__model_is_part_of_number(c) && c != '-' && c != '+');
        return;
    }
    if (stream->state != 1)
        stream->pushed = (letter == '#' ? '?' : '#') + 1;
}

void __summary_stops_here(struct __model_stream *stream, int n_found, int letter)
{
}

/* A number was there, and behind it the next letter of the format, any byte but one of a number if
   that is -1, or else the end of a line. */
void __model_behind_number(struct __model_stream *stream, int next)
{
    if (stream->pushed) {
        __model_assume(__model_is_blank((char)(stream->pushed - 1)));
        stream->pushed = 0;
    }
    __model_assume(stream->state != 1);
    if (next == -1) {
        next = __model_some_char();
        if (next < 32 || next > 126 || __model_is_part_of_number(next))
            next = '\n';
    }
    if (!next || __model_is_part_of_number(next))
        next = '\n';
    stream->pushed = next + 1;
}

void __summary_behind_number(struct __model_stream *stream, int next)
{
}

/* A word was there, and a blank behind it. */
void __model_behind_word(struct __model_stream *stream, char *word)
{
    if (stream->pushed) {
        if (!__model_is_blank((char)(stream->pushed - 1)))
            word[0] = (char)(stream->pushed - 1);
        stream->pushed = 0;
    } else {
        __model_assume(stream->state != 1);
    }
    stream->pushed = '\n' + 1;
}

void __summary_behind_word(struct __model_stream *stream, char *word)
{
}

/* Something was there that is not stored: a word, or a byte. */
void __model_behind_skipped(struct __model_stream *stream, int is_word)
{
    if (stream->pushed)
        stream->pushed = 0;
    else
        __model_assume(stream->state != 1);
    if (is_word)
        stream->pushed = '\n' + 1;
}

void __summary_behind_skipped(struct __model_stream *stream, int is_word)
{
}

/* Bytes were there. */
void __model_behind_bytes(struct __model_stream *stream, char *bytes)
{
    if (stream->pushed) {
        bytes[0] = (char)(stream->pushed - 1);
        stream->pushed = 0;
    } else {
        __model_assume(stream->state != 1);
    }
}

void __summary_behind_bytes(struct __model_stream *stream, char *bytes)
{
}

/* A letter of the format was there. */
void __model_behind_letter(struct __model_stream *stream, int letter)
{
    if (stream->pushed) {
        __model_assume(stream->pushed - 1 == letter);
        stream->pushed = 0;
    } else {
        __model_assume(stream->state != 1);
    }
}

void __summary_behind_letter(struct __model_stream *stream, int letter)
{
}

/* Blanks before something that is read with them or without. */
void __model_drop_blanks(struct __model_stream *stream)
{
    if (stream->pushed && __model_is_blank((char)(stream->pushed - 1)))
        stream->pushed = 0;
}

void __summary_drop_blanks(struct __model_stream *stream)
{
}

/* Blanks before any byte: it is none. */
void __model_skip_blanks(struct __model_stream *stream)
{
    int c;
    __model_drop_blanks(stream);
    if (stream->pushed || stream->state == 1)
        return;
    c = __model_some_letter();
    if (c < 0) {
        stream->state = 1;
        return;
    }
    if (c <= 32 || c > 255)
        c = '#';
    stream->pushed = c + 1;
}

void __summary_skip_blanks(struct __model_stream *stream)
{
}

/* What `sscanf` finds in a text, from some place on. The text was looked at before: summaries say
   nothing of what is found. */
int __model_byte_at(const char *at)
{
    return (unsigned char)at[0];
}

int __summary_byte_at(const char *at)
{
    return __model_result_between(0, 255);
}

/* How many blanks there are. */
__model_size __model_blanks(const char *at)
{
    __model_size length = 0;
    while (__model_is_blank(at[length]))
        length++;
    return length;
}

__model_size __summary_blanks(const char *at)
{
    return __model_unknown_size();
}

/* How long the word is, of at most `width` bytes; 0 if there is none. */
__model_size __model_word_length(const char *at, __model_size width)
{
    __model_size length = 0;
    while (length < width && at[length] && !__model_is_blank(at[length]))
        length++;
    return length;
}

__model_size __summary_word_length(const char *at, __model_size width)
{
    __model_size length = __model_unknown_size();
    __model_assume(length <= width);
    return length;
}

void __model_scan_word(char *target, const char *at, __model_size length)
{
    __model_copy(target, at, length);
    target[length] = 0;
}

void __summary_scan_word(char *target, const char *at, __model_size length)
{
    __model_write_bytes(target, length);
    target[length] = 0;
}

/* How many bytes there are, of at most `width`; 0 at the end. */
__model_size __model_letters_length(const char *at, __model_size width)
{
    __model_size length = 0;
    while (length < width && at[length])
        length++;
    return length;
}

__model_size __summary_letters_length(const char *at, __model_size width)
{
    __model_size length = __model_unknown_size();
    __model_assume(length <= width);
    return length;
}

void __model_scan_letters(char *target, const char *at, __model_size count)
{
    __model_copy(target, at, count);
}

void __summary_scan_letters(char *target, const char *at, __model_size count)
{
    __model_write_bytes(target, count);
}

/* Whether a number begins like one of base 16: `0x`. What lacks a digit then is not followed. */
static int __model_has_prefix(const char *at, __model_size width)
{
    if (width < 2 || at[0] != '0' || (at[1] != 'x' && at[1] != 'X'))
        return 0;
    __model_assume(width > 2 && __model_digit(at[2]) < 16);
    return 1;
}

/* The base of a number behind its sign, where 0 leaves it to that. */
static int __model_base_of(const char *at, int base, __model_size width)
{
    if (base)
        return base;
    if (__model_has_prefix(at, width))
        return 16;
    return at[0] == '0' ? 8 : 10;
}

/* How many bytes of at most `width` are a number, 0 if there is none. */
__model_size __model_number_length(const char *at, int base, __model_size width)
{
    __model_size length = 0;
    __model_size first;
    if (width > 0 && (at[0] == '-' || at[0] == '+'))
        length = 1;
    base = __model_base_of(at + length, base, width - length);
    if (base == 16 && __model_has_prefix(at + length, width - length))
        length += 2;
    first = length;
    while (length < width && __model_digit(at[length]) < base)
        length++;
    return length > first ? length : 0;
}

__model_size __summary_number_length(const char *at, int base, __model_size width)
{
    return __model_unknown_size();
}

/* The number in so many bytes. Where there are many digits, it is not followed: what is too large
   for the type is undefined. */
long long __model_number_value(const char *at, int base, __model_size length)
{
    __model_size i = 0;
    long long value = 0;
    int negative = at[0] == '-';
    __model_assume(length <= 17);
    if (at[0] == '-' || at[0] == '+')
        i = 1;
    base = __model_base_of(at + i, base, length - i);
    if (base == 16 && __model_has_prefix(at + i, length - i))
        i += 2;
    while (i < length) {
        value = value * base + __model_digit(at[i]);
        i++;
    }
    return negative ? -value : value;
}

long long __summary_number_value(const char *at, int base, __model_size length)
{
    return __model_unknown_wide();
}

/* Whether a number may go on so that has a base of its own, or none at all. */
static int __model_is_letter_of_number(char c)
{
    return c == 'x' || c == 'X' || c == 'i' || c == 'I' || c == 'n' || c == 'N';
}

static __model_size __model_digits_at(const char *at, __model_size from, __model_size width)
{
    while (from < width && at[from] >= '0' && at[from] <= '9')
        from++;
    return from;
}

/* The same of a number with a point and an exponent, in decimals. Others, infinity, and exponents
   without digits are not followed. */
__model_size __model_float_length(const char *at, __model_size width)
{
    __model_size length = 0;
    __model_size first;
    __model_size more;
    int has_digits = 0;
    if (width > 0 && (at[0] == '-' || at[0] == '+'))
        length = 1;
    first = length;
    length = __model_digits_at(at, length, width);
    has_digits = length > first;
    __model_assume(length >= width || !__model_is_letter_of_number(at[length]));
    if (length < width && at[length] == '.') {
        first = length + 1;
        length = __model_digits_at(at, first, width);
        if (length > first)
            has_digits = 1;
    }
    if (!has_digits)
        return 0;
    if (length < width && (at[length] == 'e' || at[length] == 'E')) {
        first = length + 1;
        if (first < width && (at[first] == '-' || at[first] == '+'))
            first++;
        more = __model_digits_at(at, first, width);
        __model_assume(more > first);
        length = more;
    }
    return length;
}

__model_size __summary_float_length(const char *at, __model_size width)
{
    return __model_unknown_size();
}

/* Bytes for a word of at most `width`: how many. */
static __model_size __model_some_word(char *target, __model_size width)
{
    __model_size length = __model_some_size();
    __model_assume(length >= 1);
    __model_assume(length <= width);
    __model_write_bytes(target, length);
    target[length] = 0;
    return length;
}

/* A word of the input of at most `width` characters, without blanks. */
void __model_scan_text(char *target, __model_size width)
{
    __model_size length = __model_some_word(target, width);
    __model_size i = 0;
    while (i < length) {
        __model_assume(target[i] && !__model_is_blank(target[i]));
        i++;
    }
}

void __summary_scan_text(char *target, __model_size width)
{
    __model_some_word(target, width);
}

void __model_scan_bytes(char *target, __model_size width)
{
    __model_write_bytes(target, width);
}

/* A word of wide characters. */
void __model_scan_text_wide(int *target, __model_size width)
{
    __model_size length = __model_some_size();
    __model_assume(length >= 1);
    __model_assume(length <= width);
    __model_write_bytes((char *)target, length * sizeof(int));
    target[length] = 0;
}
