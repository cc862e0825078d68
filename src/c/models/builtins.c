int __wane_popcount(unsigned value)
{
    return __wane_popcountll(value);
}

int __wane_popcountl(unsigned long value)
{
    return __wane_popcountll(value);
}

int __wane_popcountll(unsigned long long value)
{
    int count = 0;
    int position = 0;
    for (position = 0; position < 64; position++)
        count += value >> position & 1;
    return count;
}

int __summary_popcountll(unsigned long long value)
{
    return __model_result_between(0, 64);
}

int __wane_parity(unsigned value)
{
    return __wane_popcountll(value) & 1;
}

int __wane_parityl(unsigned long value)
{
    return __wane_popcountll(value) & 1;
}

int __wane_parityll(unsigned long long value)
{
    return __wane_popcountll(value) & 1;
}

/* The result for zero is undefined. */
int __wane_ctzll(unsigned long long value)
{
    if (!value)
        return __model_unknown_int();
    return __wane_ffsll(value) - 1;
}

int __wane_ctz(unsigned value)
{
    return __wane_ctzll(value);
}

int __wane_ctzl(unsigned long value)
{
    return __wane_ctzll(value);
}

/* The number of bits up to the highest one that is set. */
static int __model_bits(unsigned long long value)
{
    int position = 0;
    for (position = 64; position > 0; position--)
        if (value >> (position - 1) & 1)
            return position;
    return 0;
}

static int __summary_bits(unsigned long long value)
{
    return value ? __model_result_between(1, 64) : 0;
}

int __wane_clz(unsigned value)
{
    return value ? 32 - __model_bits(value) : __model_unknown_int();
}

int __wane_clzl(unsigned long value)
{
    return value ? (int)(8 * sizeof(long)) - __model_bits(value) : __model_unknown_int();
}

int __wane_clzll(unsigned long long value)
{
    return value ? 64 - __model_bits(value) : __model_unknown_int();
}

int __wane_clrsb(int value)
{
    return 31 - __model_bits((unsigned)(value < 0 ? ~value : value));
}

int __wane_clrsbl(long value)
{
    return (int)(8 * sizeof(long)) - 1 - __model_bits((unsigned long)(value < 0 ? ~value : value));
}

int __wane_clrsbll(long long value)
{
    return 63 - __model_bits((unsigned long long)(value < 0 ? ~value : value));
}

unsigned short __wane_bswap16(unsigned short x)
{
    return (unsigned short)((x & 0xff) * 256 + x / 256);
}

unsigned __wane_bswap32(unsigned x)
{
    return (x & 0xff) * 0x1000000 + (x / 0x100 & 0xff) * 0x10000 + (x / 0x10000 & 0xff) * 0x100 + x / 0x1000000;
}

unsigned long long __wane_bswap64(unsigned long long x)
{
    return (unsigned long long)__wane_bswap32(x & 0xffffffff) * 0x100000000 + __wane_bswap32(x / 0x100000000);
}

unsigned short __wane_htons(unsigned short x)
{
    return __wane_bswap16(x);
}

unsigned short __wane_ntohs(unsigned short x)
{
    return __wane_bswap16(x);
}

unsigned __wane_htonl(unsigned x)
{
    return __wane_bswap32(x);
}

unsigned __wane_ntohl(unsigned x)
{
    return __wane_bswap32(x);
}
