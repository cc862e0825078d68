__model_size __wane_wcslen(const int *text)
{
    __model_size length = 0;
    while (text[length])
        length++;
    return length;
}

int *__wane_wcscpy(int *target, const int *source)
{
    __model_size length = __wane_wcslen(source);
    __model_copy_apart(target, source, (length + 1) * sizeof(int));
    if (target == source)
        __model_undefined("a copy between bytes that overlap");
    target[length] = 0;
    return target;
}

int *__wane_wcscat(int *target, const int *source)
{
    __wane_wcscpy(target + __wane_wcslen(target), source);
    return target;
}

int __wane_wcscmp(const int *left, const int *right)
{
    __model_size i = 0;
    while (left[i] && left[i] == right[i])
        i++;
    return __model_sign(left[i] < right[i] ? -1 : left[i] > right[i]);
}

int *__wane_wcschr(const int *text, int wanted)
{
    __model_size i = 0;
    while (text[i] != wanted) {
        if (!text[i])
            return 0;
        i++;
    }
    return (int *)text + i;
}

int *__wane_wcsdup(const int *text)
{
    __model_size length = __wane_wcslen(text);
    int *copy = __model_allocate((length + 1) * sizeof(int));
    if (copy) {
        __model_copy(copy, text, (length + 1) * sizeof(int));
        copy[length] = 0;
    }
    return copy;
}

int *__wane_wmemcpy(int *target, const int *source, __model_size count)
{
    __model_copy_apart(target, source, count * sizeof(int));
    return target;
}

int *__wane_wmemmove(int *target, const int *source, __model_size count)
{
    __model_copy(target, source, count * sizeof(int));
    return target;
}

int *__wane_wmemset(int *target, int value, __model_size count)
{
    __model_size i = 0;
    for (i = 0; i < count; i++)
        target[i] = value;
    return target;
}

__model_size __wane_wcsnlen(const int *text, __model_size limit)
{
    __model_size length = 0;
    while (length < limit && text[length])
        length++;
    return length;
}

int *__wane_wcsncpy(int *target, const int *source, __model_size limit)
{
    __model_size length = __wane_wcsnlen(source, limit);
    __model_copy_apart(target, source, length * sizeof(int));
    if (length && target == source)
        __model_undefined("a copy between bytes that overlap");
    __model_fill(target + length, 0, (limit - length) * sizeof(int));
    return target;
}

int *__wane_wcsncat(int *target, const int *source, __model_size limit)
{
    int *end = target + __wane_wcslen(target);
    __model_size length = __wane_wcsnlen(source, limit);
    __model_copy_apart(end, source, length * sizeof(int));
    if (length && end == source)
        __model_undefined("a copy between bytes that overlap");
    end[length] = 0;
    return target;
}

int __wane_wcsncmp(const int *left, const int *right, __model_size limit)
{
    __model_size i = 0;
    while (i < limit && left[i] && left[i] == right[i])
        i++;
    if (i == limit)
        return 0;
    return __model_sign(left[i] < right[i] ? -1 : left[i] > right[i]);
}

int *__wane_wcsrchr(const int *text, int wanted)
{
    __model_size i = __wane_wcslen(text) + 1;
    while (i > 0) {
        i--;
        if (text[i] == wanted)
            return (int *)text + i;
    }
    return 0;
}

/* Classes of wide characters depend on the locale beyond ASCII. */
static int __model_wide_class(int c, int is_member)
{
    if (c < 0 || c > 127)
        return __model_unknown_int();
    return is_member ? __model_result_nonzero() : 0;
}

int __wane_iswdigit(int c)
{
    return c >= '0' && c <= '9' ? __model_result_nonzero() : 0;
}

int __wane_iswxdigit(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')
        ? __model_result_nonzero() : 0;
}

int __wane_iswupper(int c)
{
    return __model_wide_class(c, c >= 'A' && c <= 'Z');
}

int __wane_iswlower(int c)
{
    return __model_wide_class(c, c >= 'a' && c <= 'z');
}

int __wane_iswalpha(int c)
{
    return __model_wide_class(c, (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

int __wane_iswalnum(int c)
{
    return __model_wide_class(c, (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
}

int __wane_iswspace(int c)
{
    return __model_wide_class(c, c == ' ' || (c >= '\t' && c <= '\r'));
}

int __wane_iswpunct(int c)
{
    return __model_wide_class(c, c > ' ' && c < 127 && !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')));
}

int __wane_towupper(int c)
{
    if (c < 0 || c > 127)
        return __model_unknown_int();
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}

int __wane_towlower(int c)
{
    if (c < 0 || c > 127)
        return __model_unknown_int();
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}
