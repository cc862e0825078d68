/* Whether a clock was read before. When it is read again it has gone on. */
static int __model_was_asked_for_time;

/* What a clock shows: an input, which no later one may contradict. A clock that shows
   less than `first` is absent or was never set: nothing is refuted by it. */
static long long __model_some_time(int first)
{
    long long now;
    if (__model_was_asked_for_time)
        return __model_unknown_wide();
    __model_was_asked_for_time = 1;
    now = __model_some_wide();
    return now < first ? __model_unknown_wide() : now;
}

/* Minus one says that there is no clock. */
long __wane_time(long *target)
{
    long now = (long)__model_some_time(1);
    __model_assume(now >= -1);
    if (sizeof(long) == 8)
        __model_assume(now < 67767976233532800ll);
    if (target)
        *target = now;
    return now;
}

long __wane_clock(void)
{
    long used = (long)__model_some_time(0);
    __model_assume(used >= -1);
    return used;
}

double __wane_difftime(long late, long early)
{
    return __model_unknown_double();
}

struct __model_timespec {
    long seconds;
    long fraction;
};

/* A moment, whose fraction of a second is below `parts`. */
static void __model_moment(struct __model_timespec *target, long parts)
{
    int is_later = __model_was_asked_for_time;
    long seconds = (long)__model_some_time(1);
    long fraction = is_later ? (long)__model_unknown_wide() : (long)__model_some_wide();
    __model_assume(seconds >= 0);
    __model_assume(fraction >= 0);
    __model_assume(fraction < parts);
    target->seconds = seconds;
    target->fraction = fraction;
}

int __wane_gettimeofday(struct __model_timespec *target, void *zone)
{
    if (target)
        __model_moment(target, 1000000);
    if (zone)
        __model_write_bytes(zone, 8);
    return 0;
}

int __wane_clock_gettime(int clock, struct __model_timespec *target)
{
    if (__model_some_truth()) {
        __model_fail();
        return -1;
    }
    __model_moment(target, 1000000000);
    /* Of clocks but that of the day, which is 0, it is not known how they go on. */
    if (clock != 0)
        __model_assume(__model_unknown_int() == 0);
    return 0;
}

int __wane_clock_getres(int clock, struct __model_timespec *target)
{
    if (target)
        __model_moment(target, 1000000000);
    return __model_result_status();
}

int __wane_timespec_get(struct __model_timespec *target, int base)
{
    __model_moment(target, 1000000000);
    return __model_some_truth() ? base : 0;
}

int __wane_nanosleep(const struct __model_timespec *wanted, struct __model_timespec *rest)
{
    __model_read_bytes(wanted, sizeof(struct __model_timespec));
    if (__model_some_truth())
        return 0;
    if (rest)
        __model_moment(rest, 1000000000);
    __model_fail();
    return -1;
}

struct __model_tm {
    int second;
    int minute;
    int hour;
    int day;
    int month;
    int year;
    int weekday;
    int yearday;
    int daylight;
    long offset;
    const char *zone;
};

extern long __wane_timezone; /* __model_set_zone */

extern int __wane_daylight; /* __model_set_zone */

/* The zone is looked up again. */
int __model_set_zone(void)
{
    __wane_timezone = (long)__model_unknown_wide();
    __wane_daylight = __model_unknown_int();
    return 0;
}

/* A moment in a calendar. */
static void __model_calendar(struct __model_tm *target)
{
    __optional_set_zone();
    target->second = __model_result_between(0, 60);
    target->minute = __model_result_between(0, 59);
    target->hour = __model_result_between(0, 23);
    target->day = __model_result_between(1, 31);
    target->month = __model_result_between(0, 11);
    target->year = __model_unknown_int();
    target->weekday = __model_result_between(0, 6);
    target->yearday = __model_result_between(0, 365);
    target->daylight = __model_result_between(-1, 1);
    target->offset = __model_unknown_int();
    target->zone = __model_lasting_text(32);
}

static struct __model_tm __model_shared_calendar;

struct __model_tm *__wane_localtime(const long *time)
{
    return __wane_localtime_r(time, &__model_shared_calendar);
}

struct __model_tm *__wane_gmtime(const long *time)
{
    return __wane_localtime(time);
}

/* A moment whose year is no `int` fails, and leaves the calendar as it is. */
struct __model_tm *__wane_localtime_r(const long *time, struct __model_tm *target)
{
    long moment = *time;
    if ((moment < -67768040609654400 || moment > 67768036191590399) && __model_unknown_int())
        return 0;
    __model_calendar(target);
    return target;
}

struct __model_tm *__wane_gmtime_r(const long *time, struct __model_tm *target)
{
    return __wane_localtime_r(time, target);
}

long __wane_mktime(struct __model_tm *target)
{
    __model_read_bytes(target, sizeof(struct __model_tm));
    __model_calendar(target);
    return (long)__model_unknown_wide();
}

static char __model_moment_text[26];

/* The text of a moment lies where that of the last one lay. */
static char *__model_text_of_moment(void)
{
    __model_size length = __model_unknown_size();
    if (__model_unknown_int())
        return 0;
    __model_assume(length < 26);
    __model_write_bytes(__model_moment_text, 26);
    __model_moment_text[length] = 0;
    return __model_moment_text;
}

char *__wane_ctime(const long *time)
{
    __model_read_bytes(time, sizeof(long));
    __model_calendar(&__model_shared_calendar);
    return __model_text_of_moment();
}

char *__wane_asctime(const struct __model_tm *time)
{
    __model_read_bytes(time, sizeof(struct __model_tm));
    return __model_text_of_moment();
}

__model_size __wane_strftime(char *buffer, __model_size limit, const char *format, const struct __model_tm *time)
{
    __optional_set_zone();
    __model_size length = __model_unknown_size();
    __wane_strlen(format);
    __model_read_bytes(time, sizeof(struct __model_tm));
    if (limit == 0)
        return 0;
    __model_assume(length < limit);
    __model_write_bytes(buffer, limit);
    /* The text did not fit. */
    if (__model_unknown_int())
        return 0;
    buffer[length] = 0;
    return length;
}
