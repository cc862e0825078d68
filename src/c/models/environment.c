/* The first text of the environment that was asked for, and the last one. */
static char *__model_first_variable;

static char *__model_last_variable;

/* Whether the program has looked at the environment or has changed it. */
static int __model_knows_environment;

/* A variable may have the same text as before. */
char *__wane_getenv(const char *name)
{
    int is_first = !__model_knows_environment;
    char *set = __optional_set_variable(name);
    __wane_strlen(name);
    if (set)
        return set;
    __model_knows_environment = 1;
    if (is_first ? !__model_some_truth() : __model_unknown_int() == 0)
        return 0;
    if (__model_last_variable && __model_unknown_int())
        return __model_unknown_int() ? __model_first_variable : __model_last_variable;
    __model_last_variable = __model_lasting_text(131071);
    if (!__model_first_variable)
        __model_first_variable = __model_last_variable;
    return __model_last_variable;
}

char *__wane_secure_getenv(const char *name)
{
    return __wane_getenv(name);
}

/* The variable that was set last, and its text. */
static char *__model_set_name;

static char *__model_set_text;

char *__model_set_variable(const char *name)
{
    if (!__model_set_name || __model_compare(name, __model_set_name) != 0)
        return 0;
    return __model_set_text;
}

static char *__model_lasting_copy(const char *text)
{
    __model_size length = __wane_strlen(text);
    char *copy = __model_lasting(length + 1);
    __model_copy(copy, text, length + 1);
    copy[length] = 0;
    return copy;
}

/* __model_set_variable */
int __wane_setenv(const char *name, const char *value, int overwrite)
{
    __wane_strlen(value);
    __wane_strlen(name);
    if (__model_change_variable(name) < 0)
        return -1;
    __model_set_name = __model_lasting_copy(name);
    __model_set_text = overwrite ? __model_lasting_copy(value) : __model_lasting_text(131071);
    return 0;
}

extern char **__wane_environ; /* __model_move_environment */

static int __model_has_moved;

/* The environment may lie elsewhere from then on. */
int __model_move_environment(void)
{
    int count = __model_some_int();
    if (__model_has_moved ? __model_unknown_int() : __model_some_truth())
        return 0;
    __model_has_moved = 1;
    __model_assume(count > 0);
    __wane_environ = __model_start_texts(count);
    return 0;
}

/* Whether a variable can be set; what was known of the environment is forgotten. */
static int __model_change_variable(const char *name)
{
    __model_knows_environment = 1;
    __model_set_name = 0;
    if (!*name) {
        __model_fail();
        return -1;
    }
    __optional_move_environment();
    return __model_result_status();
}

int __wane_unsetenv(const char *name)
{
    __wane_strlen(name);
    return __model_change_variable(name);
}
