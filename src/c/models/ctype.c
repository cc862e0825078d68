/* Whether the program has left the locale "C", in which it starts. */
static int __model_has_locale;

static char *__model_locale_text;

/* That the locale is asked for or is "C" never fails for the categories that there are. */
char *__wane_setlocale(int category, const char *name)
{
    if ((category < 0 || category > 12) && __model_some_truth())
        return 0;
    if (name) {
        __wane_strlen(name);
        if (name[0] != 'C' || name[1]) {
            if (__model_some_truth())
                return 0;
            __model_has_locale = 1;
        }
    }
    return __model_fixed_text(&__model_locale_text, 200);
}

/* A class of other numbers than those of characters, signed or not, is undefined. */
static void __model_check_character(int c)
{
    if (c < -128 || c > 255)
        __model_undefined("a class of a number that is no character");
}

/* What C promises of a positive answer is that it is not zero. Of bytes beyond ASCII
   the locale decides. */
static int __model_class(int c, int is_member)
{
    __model_check_character(c);
    if (c > 127 && __model_has_locale)
        return __model_unknown_int();
    return is_member ? __model_result_nonzero() : 0;
}

int __wane_isdigit(int c)
{
    __model_check_character(c);
    return c >= '0' && c <= '9' ? __model_result_nonzero() : 0;
}

int __wane_isxdigit(int c)
{
    __model_check_character(c);
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')
        ? __model_result_nonzero() : 0;
}

int __wane_isupper(int c)
{
    return __model_class(c, c >= 'A' && c <= 'Z');
}

int __wane_islower(int c)
{
    return __model_class(c, c >= 'a' && c <= 'z');
}

int __wane_isalpha(int c)
{
    return __model_class(c, (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

int __wane_isalnum(int c)
{
    return __model_class(c, (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
}

int __wane_isspace(int c)
{
    return __model_class(c, c == ' ' || (c >= 9 && c <= 13));
}

int __wane_isblank(int c)
{
    return __model_class(c, c == ' ' || c == 9);
}

int __wane_isprint(int c)
{
    return __model_class(c, c >= 32 && c <= 126);
}

int __wane_isgraph(int c)
{
    return __model_class(c, c > 32 && c <= 126);
}

int __wane_ispunct(int c)
{
    return __model_class(c, (c > 32 && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c < 127));
}

int __wane_iscntrl(int c)
{
    return __model_class(c, (c >= 0 && c < 32) || c == 127);
}

int __wane_isascii(int c)
{
    return c >= 0 && c < 128 ? __model_result_nonzero() : 0;
}

int __wane_toascii(int c)
{
    return c & 127;
}

/* In some locales, a letter of ASCII has its other case beyond ASCII. */
int __wane_toupper(int c)
{
    if ((c > 127 && c < 256 || c >= 'a' && c <= 'z') && __model_has_locale)
        return __model_result_between(0, 255);
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}

int __wane_tolower(int c)
{
    if ((c > 127 && c < 256 || c >= 'A' && c <= 'Z') && __model_has_locale)
        return __model_result_between(0, 255);
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

/* The classes of the bytes from -128 to 255 in the locale "C", as the GNU library lays
   them out; its headers read this table. */
static const unsigned short __model_class_table[384] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
    55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156,
    49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
    50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156,
    49156, 54792, 54792, 54792, 54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
    50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156, 49156, 49156, 49156, 2,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static const unsigned short *__model_class_start = __model_class_table + 128;

const unsigned short **__wane___ctype_b_loc(void)
{
    if (__model_has_locale)
        return __model_unknown_pointer();
    return &__model_class_start;
}
