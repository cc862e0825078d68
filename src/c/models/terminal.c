/* Terminals: their settings are 60 bytes. */
int __wane_tcgetattr(int file, void *settings)
{
    return __model_status_with(settings, 60);
}

int __wane_tcsetattr(int file, int when, const void *settings)
{
    __model_read_bytes(settings, 60);
    return __model_result_status();
}

void __wane_cfmakeraw(void *settings)
{
    __model_read_bytes(settings, 60);
    __model_write_bytes(settings, 60);
}

int __wane_tcflush(int file, int which)
{
    return __model_result_status();
}

int __wane_tcdrain(int file)
{
    return __model_result_status();
}
