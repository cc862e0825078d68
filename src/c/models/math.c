/* Floating-point numbers are not modelled: results are any numbers. What may be out of a
   function's domain may set `errno`. */
static double __model_computed(void)
{
    __model_may_be_out_of_range();
    return __model_unknown_double();
}

/* An argument, or the result, may be out of range. */
static void __model_may_be_out_of_range(void)
{
    if (__model_unknown_int())
        *__wane___errno_location() = __model_unknown_int() ? 33 : 34;
}

double __wane_acos(double x)
{
    return __model_computed();
}

double __wane_asin(double x)
{
    return __model_computed();
}

double __wane_atan(double x)
{
    return __model_computed();
}

double __wane_cos(double x)
{
    return __model_computed();
}

double __wane_sin(double x)
{
    return __model_computed();
}

double __wane_tan(double x)
{
    return __model_computed();
}

double __wane_acosh(double x)
{
    return __model_computed();
}

double __wane_asinh(double x)
{
    return __model_computed();
}

double __wane_atanh(double x)
{
    return __model_computed();
}

double __wane_cosh(double x)
{
    return __model_computed();
}

double __wane_sinh(double x)
{
    return __model_computed();
}

double __wane_tanh(double x)
{
    return __model_computed();
}

double __wane_exp(double x)
{
    return __model_computed();
}

double __wane_exp2(double x)
{
    return __model_computed();
}

double __wane_expm1(double x)
{
    return __model_computed();
}

double __wane_log(double x)
{
    return __model_computed();
}

double __wane_log10(double x)
{
    return __model_computed();
}

double __wane_log1p(double x)
{
    return __model_computed();
}

double __wane_log2(double x)
{
    return __model_computed();
}

double __wane_logb(double x)
{
    return __model_computed();
}

double __wane_cbrt(double x)
{
    return __model_computed();
}

double __wane_fabs(double x)
{
    return __model_computed();
}

double __wane_sqrt(double x)
{
    return __model_computed();
}

double __wane_erf(double x)
{
    return __model_computed();
}

double __wane_erfc(double x)
{
    return __model_computed();
}

extern int __wane_signgam; /* __model_set_sign */

/* The sign of the last gamma function. */
int __model_set_sign(void)
{
    __wane_signgam = __model_unknown_int() ? 1 : -1;
    return 0;
}

double __wane_lgamma(double x)
{
    __optional_set_sign();
    return __model_computed();
}

double __wane_tgamma(double x)
{
    return __model_computed();
}

double __wane_ceil(double x)
{
    return __model_computed();
}

double __wane_floor(double x)
{
    return __model_computed();
}

double __wane_nearbyint(double x)
{
    return __model_computed();
}

double __wane_rint(double x)
{
    return __model_computed();
}

double __wane_round(double x)
{
    return __model_computed();
}

double __wane_trunc(double x)
{
    return __model_computed();
}

double __wane_exp10(double x)
{
    return __model_computed();
}

double __wane_j0(double x)
{
    return __model_computed();
}

double __wane_j1(double x)
{
    return __model_computed();
}

double __wane_y0(double x)
{
    return __model_computed();
}

double __wane_y1(double x)
{
    return __model_computed();
}

double __wane_atan2(double x, double y)
{
    return __model_computed();
}

double __wane_hypot(double x, double y)
{
    return __model_computed();
}

double __wane_pow(double x, double y)
{
    return __model_computed();
}

double __wane_fmod(double x, double y)
{
    return __model_computed();
}

double __wane_remainder(double x, double y)
{
    return __model_computed();
}

double __wane_copysign(double x, double y)
{
    return __model_computed();
}

double __wane_nextafter(double x, double y)
{
    return __model_computed();
}

double __wane_fdim(double x, double y)
{
    return __model_computed();
}

double __wane_fmax(double x, double y)
{
    return __model_computed();
}

double __wane_fmin(double x, double y)
{
    return __model_computed();
}

double __wane_drem(double x, double y)
{
    return __model_computed();
}

double __wane_fma(double x, double y, double z)
{
    return __model_computed();
}

double __wane_frexp(double x, int *exponent)
{
    *exponent = __model_unknown_int();
    return __model_computed();
}

double __wane_ldexp(double x, int exponent)
{
    return __model_computed();
}

double __wane_scalbn(double x, int exponent)
{
    return __model_computed();
}

double __wane_modf(double x, double *whole)
{
    *whole = __model_unknown_double();
    return __model_computed();
}

double __wane_nan(const char *text)
{
    __wane_strlen(text);
    return __model_unknown_double();
}

long __wane_lround(double x)
{
    __model_may_be_out_of_range();
    return (long)__model_unknown_wide();
}

long __wane_lrint(double x)
{
    __model_may_be_out_of_range();
    return (long)__model_unknown_wide();
}

long long __wane_llround(double x)
{
    __model_may_be_out_of_range();
    return (long long)__model_unknown_wide();
}

long long __wane_llrint(double x)
{
    __model_may_be_out_of_range();
    return (long long)__model_unknown_wide();
}

int __wane_ilogb(double x)
{
    __model_may_be_out_of_range();
    return __model_unknown_int();
}

double __wane_inf(void)
{
    return __model_unknown_double();
}

double __wane_huge_val(void)
{
    return __model_unknown_double();
}

int __wane_isnan(double x)
{
    return __model_unknown_int();
}

int __wane_isinf(double x)
{
    return __model_unknown_int();
}

int __wane_isfinite(double x)
{
    return __model_unknown_int();
}

int __wane_finite(double x)
{
    return __model_unknown_int();
}

int __wane_signbit(double x)
{
    return __model_unknown_int();
}

int __wane_isinf_sign(double x)
{
    return __model_unknown_int();
}

int __wane_isnormal(double x)
{
    return __model_unknown_int();
}

float __wane_acosf(float x)
{
    return (float)__model_computed();
}

float __wane_asinf(float x)
{
    return (float)__model_computed();
}

float __wane_atanf(float x)
{
    return (float)__model_computed();
}

float __wane_cosf(float x)
{
    return (float)__model_computed();
}

float __wane_sinf(float x)
{
    return (float)__model_computed();
}

float __wane_tanf(float x)
{
    return (float)__model_computed();
}

float __wane_acoshf(float x)
{
    return (float)__model_computed();
}

float __wane_asinhf(float x)
{
    return (float)__model_computed();
}

float __wane_atanhf(float x)
{
    return (float)__model_computed();
}

float __wane_coshf(float x)
{
    return (float)__model_computed();
}

float __wane_sinhf(float x)
{
    return (float)__model_computed();
}

float __wane_tanhf(float x)
{
    return (float)__model_computed();
}

float __wane_expf(float x)
{
    return (float)__model_computed();
}

float __wane_exp2f(float x)
{
    return (float)__model_computed();
}

float __wane_expm1f(float x)
{
    return (float)__model_computed();
}

float __wane_logf(float x)
{
    return (float)__model_computed();
}

float __wane_log10f(float x)
{
    return (float)__model_computed();
}

float __wane_log1pf(float x)
{
    return (float)__model_computed();
}

float __wane_log2f(float x)
{
    return (float)__model_computed();
}

float __wane_logbf(float x)
{
    return (float)__model_computed();
}

float __wane_cbrtf(float x)
{
    return (float)__model_computed();
}

float __wane_fabsf(float x)
{
    return (float)__model_computed();
}

float __wane_sqrtf(float x)
{
    return (float)__model_computed();
}

float __wane_erff(float x)
{
    return (float)__model_computed();
}

float __wane_erfcf(float x)
{
    return (float)__model_computed();
}

float __wane_lgammaf(float x)
{
    __optional_set_sign();
    return (float)__model_computed();
}

float __wane_tgammaf(float x)
{
    return (float)__model_computed();
}

float __wane_ceilf(float x)
{
    return (float)__model_computed();
}

float __wane_floorf(float x)
{
    return (float)__model_computed();
}

float __wane_nearbyintf(float x)
{
    return (float)__model_computed();
}

float __wane_rintf(float x)
{
    return (float)__model_computed();
}

float __wane_roundf(float x)
{
    return (float)__model_computed();
}

float __wane_truncf(float x)
{
    return (float)__model_computed();
}

float __wane_atan2f(float x, float y)
{
    return (float)__model_computed();
}

float __wane_hypotf(float x, float y)
{
    return (float)__model_computed();
}

float __wane_powf(float x, float y)
{
    return (float)__model_computed();
}

float __wane_fmodf(float x, float y)
{
    return (float)__model_computed();
}

float __wane_remainderf(float x, float y)
{
    return (float)__model_computed();
}

float __wane_copysignf(float x, float y)
{
    return (float)__model_computed();
}

float __wane_nextafterf(float x, float y)
{
    return (float)__model_computed();
}

float __wane_fdimf(float x, float y)
{
    return (float)__model_computed();
}

float __wane_fmaxf(float x, float y)
{
    return (float)__model_computed();
}

float __wane_fminf(float x, float y)
{
    return (float)__model_computed();
}

float __wane_fmaf(float x, float y, float z)
{
    return (float)__model_computed();
}

float __wane_frexpf(float x, int *exponent)
{
    *exponent = __model_unknown_int();
    return (float)__model_computed();
}

float __wane_ldexpf(float x, int exponent)
{
    return (float)__model_computed();
}

float __wane_scalbnf(float x, int exponent)
{
    return (float)__model_computed();
}

float __wane_modff(float x, float *whole)
{
    *whole = (float)__model_unknown_double();
    return (float)__model_computed();
}

float __wane_nanf(const char *text)
{
    __wane_strlen(text);
    return (float)__model_unknown_double();
}

long __wane_lroundf(float x)
{
    __model_may_be_out_of_range();
    return (long)__model_unknown_wide();
}

long __wane_lrintf(float x)
{
    __model_may_be_out_of_range();
    return (long)__model_unknown_wide();
}

long long __wane_llroundf(float x)
{
    __model_may_be_out_of_range();
    return (long long)__model_unknown_wide();
}

long long __wane_llrintf(float x)
{
    __model_may_be_out_of_range();
    return (long long)__model_unknown_wide();
}

int __wane_ilogbf(float x)
{
    __model_may_be_out_of_range();
    return __model_unknown_int();
}

float __wane_inff(void)
{
    return (float)__model_unknown_double();
}

float __wane_huge_valf(void)
{
    return (float)__model_unknown_double();
}

int __wane_isnanf(float x)
{
    return __model_unknown_int();
}

int __wane_isinff(float x)
{
    return __model_unknown_int();
}

int __wane_finitef(float x)
{
    return __model_unknown_int();
}

int __wane_signbitf(float x)
{
    return __model_unknown_int();
}

long double __wane_acosl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_asinl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_atanl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_cosl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_sinl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_tanl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_acoshl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_asinhl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_atanhl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_coshl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_sinhl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_tanhl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_expl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_exp2l(long double x)
{
    return (long double)__model_computed();
}

long double __wane_expm1l(long double x)
{
    return (long double)__model_computed();
}

long double __wane_logl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_log10l(long double x)
{
    return (long double)__model_computed();
}

long double __wane_log1pl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_log2l(long double x)
{
    return (long double)__model_computed();
}

long double __wane_logbl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_cbrtl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_fabsl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_sqrtl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_erfl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_erfcl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_lgammal(long double x)
{
    __optional_set_sign();
    return (long double)__model_computed();
}

long double __wane_tgammal(long double x)
{
    return (long double)__model_computed();
}

long double __wane_ceill(long double x)
{
    return (long double)__model_computed();
}

long double __wane_floorl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_nearbyintl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_rintl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_roundl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_truncl(long double x)
{
    return (long double)__model_computed();
}

long double __wane_atan2l(long double x, long double y)
{
    return (long double)__model_computed();
}

long double __wane_hypotl(long double x, long double y)
{
    return (long double)__model_computed();
}

long double __wane_powl(long double x, long double y)
{
    return (long double)__model_computed();
}

long double __wane_fmodl(long double x, long double y)
{
    return (long double)__model_computed();
}

long double __wane_remainderl(long double x, long double y)
{
    return (long double)__model_computed();
}

long double __wane_copysignl(long double x, long double y)
{
    return (long double)__model_computed();
}

long double __wane_nextafterl(long double x, long double y)
{
    return (long double)__model_computed();
}

long double __wane_fdiml(long double x, long double y)
{
    return (long double)__model_computed();
}

long double __wane_fmaxl(long double x, long double y)
{
    return (long double)__model_computed();
}

long double __wane_fminl(long double x, long double y)
{
    return (long double)__model_computed();
}

long double __wane_fmal(long double x, long double y, long double z)
{
    return (long double)__model_computed();
}

long double __wane_frexpl(long double x, int *exponent)
{
    *exponent = __model_unknown_int();
    return (long double)__model_computed();
}

long double __wane_ldexpl(long double x, int exponent)
{
    return (long double)__model_computed();
}

long double __wane_scalbnl(long double x, int exponent)
{
    return (long double)__model_computed();
}

long double __wane_modfl(long double x, long double *whole)
{
    *whole = (long double)__model_unknown_double();
    return (long double)__model_computed();
}

long double __wane_nanl(const char *text)
{
    __wane_strlen(text);
    return (long double)__model_unknown_double();
}

long __wane_lroundl(long double x)
{
    __model_may_be_out_of_range();
    return (long)__model_unknown_wide();
}

long __wane_lrintl(long double x)
{
    __model_may_be_out_of_range();
    return (long)__model_unknown_wide();
}

long long __wane_llroundl(long double x)
{
    __model_may_be_out_of_range();
    return (long long)__model_unknown_wide();
}

long long __wane_llrintl(long double x)
{
    __model_may_be_out_of_range();
    return (long long)__model_unknown_wide();
}

int __wane_ilogbl(long double x)
{
    __model_may_be_out_of_range();
    return __model_unknown_int();
}

long double __wane_infl(void)
{
    return (long double)__model_unknown_double();
}

long double __wane_huge_vall(void)
{
    return (long double)__model_unknown_double();
}

int __wane_isnanl(long double x)
{
    return __model_unknown_int();
}

int __wane_isinfl(long double x)
{
    return __model_unknown_int();
}

int __wane_finitel(long double x)
{
    return __model_unknown_int();
}

int __wane_signbitl(long double x)
{
    return __model_unknown_int();
}

int __wane_isgreater(double x, double y)
{
    return __model_unknown_int();
}

int __wane_isgreaterequal(double x, double y)
{
    return __model_unknown_int();
}

int __wane_isless(double x, double y)
{
    return __model_unknown_int();
}

int __wane_islessequal(double x, double y)
{
    return __model_unknown_int();
}

int __wane_islessgreater(double x, double y)
{
    return __model_unknown_int();
}

int __wane_isunordered(double x, double y)
{
    return __model_unknown_int();
}

int __wane_fpclassify(int a, int b, int c, int d, int e, double x)
{
    return __model_unknown_int();
}

int __wane___fpclassify(double x)
{
    return __model_unknown_int();
}

int __wane___isnan(double x)
{
    return __model_unknown_int();
}

int __wane___isinf(double x)
{
    return __model_unknown_int();
}

int __wane___finite(double x)
{
    return __model_unknown_int();
}

int __wane___signbit(double x)
{
    return __model_unknown_int();
}
