/* Conversions, promotions, wrap-around, operators. */
extern void reach_error(void);
#define check(c) if (!(c)) reach_error()

enum color { RED, GREEN = 5, BLUE };
enum sign { MINUS = -1, PLUS = 1 };

static int side_effects;
static int touch(int value) { side_effects++; return value; }

int main(void)
{
    unsigned char byte = 255;
    byte++;
    check(byte == 0);
    byte--;
    check(byte == 255);
    check(byte + 1 == 256);
    signed char small = (signed char)200;
    check(small == -56);
    char plain = -1;
    check(plain < 0);
    unsigned int word = 0;
    word--;
    check(word == 4294967295u);
    check(word > 0 && word / 2 == 2147483647);
    check((int)word == -1);
    check(-1 > 0u);
    check((long)-1 < 0);
    check(-1 < (long)0u);
    unsigned short narrow = 65535;
    check(narrow * 2 == 131070);
    narrow += 2;
    check(narrow == 1);
    long wide = 1L << 40;
    check((int)(wide + 7) == 7);
    check((unsigned)(wide - 1) == 4294967295u);
    check(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1);
    check((-8 >> 1) == -4);
    check((0xF0 & 0x3C) == 0x30 && (0xF0 | 0x0F) == 0xFF && (0xFF ^ 0x0F) == 0xF0);
    check(~0 == -1 && ~0u == 4294967295u);
    check(!5 == 0 && !0 == 1 && !!7 == 1);
    _Bool truth = 256;
    check(truth == 1);
    truth = 0.0 != 0.0 ? 1 : 1;
    check(truth);
    check(sizeof(truth) == 1);
    check('a' == 97 && '\n' == 10 && '\x41' == 65 && '\101' == 65 && '\0' == 0);
    check(sizeof('a') == sizeof(int));
    check(0x7fffffff + 0L == 2147483647L);
    check(sizeof(2147483648) == 8 && sizeof(0xffffffff) == 4);
    check(RED == 0 && GREEN == 5 && BLUE == 6);
    enum color color = BLUE;
    check(color - 6 == 0);
    enum sign sign = MINUS;
    check(sign < 0);
    int x = 3;
    check(x++ == 3 && x == 4 && ++x == 5 && x-- == 5 && --x == 3);
    x += 4;
    x *= 2;
    x -= 1;
    x /= 3;
    x <<= 3;
    x >>= 1;
    x |= 3;
    x &= 0x1E;
    x ^= 1;
    x %= 16;
    check(x == 3);
    int y = (x = 5, x + 2);
    check(x == 5 && y == 7);
    check((0 && touch(1)) == 0 && side_effects == 0);
    check((1 || touch(1)) == 1 && side_effects == 0);
    check((touch(0) || touch(2)) == 1 && side_effects == 2);
    check((x ? touch(8) : touch(9)) == 8 && side_effects == 3);
    check((x ?: touch(9)) == 5 && side_effects == 3);
    unsigned long long big = 0;
    big = big - 1;
    check(big > 0x7fffffffffffffffull);
    check((int)big == -1);
    check((unsigned char)big == 255);
    return 0;
}
