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
