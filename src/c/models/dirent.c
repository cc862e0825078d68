/* A folder that is read ends, as a stream does. */
struct __model_folder {
    unsigned long long left;
    void *entry;
};

struct __model_folder *__wane_opendir(const char *path)
{
    struct __model_folder *folder = 0;
    __wane_strlen(path);
    if (__model_some_truth()) {
        __model_fail();
        return 0;
    }
    folder = __model_allocate(sizeof(struct __model_folder));
    if (folder) {
        folder->left = __model_some_rounds();
        folder->entry = __model_lasting(280);
    }
    return folder;
}

void *__wane_readdir(struct __model_folder *folder)
{
    if (__model_some_truth())
        return 0;
    __model_assume(folder->left > 0);
    folder->left--;
    __model_write_bytes(folder->entry, 280);
    ((char *)folder->entry)[279] = 0;
    return folder->entry;
}

void __wane_rewinddir(struct __model_folder *folder)
{
    folder->left = __model_some_rounds();
}

int __wane_closedir(struct __model_folder *folder)
{
    __model_release(folder);
    return __model_result_status();
}
