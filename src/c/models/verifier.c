/* Functions that verifiers share. */
void __wane___VERIFIER_nondet_memory(void *block, __model_size size)
{
    __model_write_bytes(block, size);
}

/* The largest part of an object is not known before the program is compiled. */
__model_size __wane_object_size(const void *block, int kind)
{
    return __model_unknown_size();
}

__model_size __wane_dynamic_object_size(const void *block, int kind)
{
    return __model_unknown_size();
}
