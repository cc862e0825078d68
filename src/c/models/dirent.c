/* A folder that is read ends, as a stream does. Its entries lie in its own block, and may
   take turns. What the program gets is not the start of the block, so that only
   `closedir` ends it. */
struct __model_folder {
    unsigned long long left;
    char handle[8];
    char first[280];
    char second[280];
};

static struct __model_folder *__model_folder_of(char *handle)
{
    return (struct __model_folder *)(handle - 8);
}

/* How often a folder can be read from here on. */
static unsigned long long __model_folder_begun(void)
{
    return __model_some_rounds();
}

/* Once less. The run ends silently where nothing is left. */
static unsigned long long __model_folder_less(unsigned long long left)
{
    __model_assume(left > 0);
    return left - 1;
}

char *__wane_opendir(const char *path)
{
    struct __model_folder *folder = 0;
    __wane_strlen(path);
    if (!*path || __model_some_truth()) {
        __model_fail();
        return 0;
    }
    folder = __model_allocate(sizeof(struct __model_folder));
    if (!folder)
        return 0;
    folder->left = __model_folder_begun();
    return folder->handle;
}

void *__wane_readdir(char *handle)
{
    struct __model_folder *folder = __model_folder_of(handle);
    char *entry = 0;
    if (__model_some_truth())
        return 0;
    folder->left = __model_folder_less(folder->left);
    entry = __model_some_truth() ? folder->first : folder->second;
    __model_write_bytes(entry, 280);
    entry[279] = 0;
    return entry;
}

void __wane_rewinddir(char *handle)
{
    __model_folder_of(handle)->left = __model_folder_begun();
}

int __wane_closedir(char *handle)
{
    __model_release(__model_folder_of(handle));
    return __model_result_status();
}
