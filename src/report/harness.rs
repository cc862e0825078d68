//! A counterexample as a C file: what the program is compiled with, so that it runs
//! as the counterexample does and a sanitizer or a counter shows the error.
//!
//! The file defines the functions that the program calls and does not define.
//! Inputs come from lists, one a function. It includes no header and declares nothing of
//! the C library under its own name, so that what it defines contradicts no declaration.

use super::caller::Caller;
use c::external::{External, Role};
use concolic::texts::is_reader;
use ir::HavocSource;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A counterexample that a C file is to show.
#[derive(Clone, Debug)]
pub struct TestCase<'a> {
    /// The files of the program.
    pub files: &'a [String],
    /// What goes wrong, in one sentence.
    pub reason: &'a str,
    /// What the C file shows.
    pub shows: Shows,
    /// What the run is given, in order.
    pub given: &'a [Given],
    /// What a run that never ends is given again and again after that.
    pub repeated: &'a [Given],
    /// What it reads from the standard input, where that is known.
    pub read: Option<Vec<u8>>,
    /// The functions that the program calls and does not define.
    pub externals: &'a [External],
    /// The name that it is started by, as C writes it, where that matters.
    pub own_name: Option<String>,
    /// The texts that it is started with behind that.
    pub arguments: Vec<String>,
    /// Who calls it, if it is a function by itself.
    pub caller: Option<Caller>,
}

/// A value that the run is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The function that gives it; nothing for what was never written to.
    pub function: Option<String>,
    /// The number.
    pub value: i128,
}

/// How the error becomes visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// AddressSanitizer stops the run at an invalid access or release.
    MemoryError,
    /// LeakSanitizer finds a block that nothing leads to.
    Leak,
    /// LeakSanitizer finds a block that was not freed.
    Unfreed,
    /// The error function is called.
    Error,
    /// More steps are done than the run has up to its cycle and for many rounds.
    Hang {
        /// The number of steps.
        n_steps: u64,
    },
}

/// Of what is read so many things are told.
const MAX_READ: usize = 40;

/// Calls of input functions after the last listed value, before a run that should
/// be over by then is ended.
const CALLS_BEYOND: u32 = 100_000;

/// The C file; nothing when a function has a result that it cannot give.
#[must_use]
pub fn render(case: &TestCase<'_>) -> String {
    let mut text = header(case);
    text.push_str(PREAMBLE);
    text.push_str(&sanitizer_options(case.shows));
    if let Shows::Hang { n_steps } = case.shows {
        text.push_str(&counter(n_steps));
        let is_free = |name: &str| case.externals.iter().all(|it| it.name != name);
        let clocks = [("setitimer", CLOCK), ("alarm", ALARM)];
        text.extend(clocks.into_iter().find(|(name, _)| is_free(name)).map(|it| it.1));
    }
    if let Some(read) = fed(case) {
        text.push_str(&feeder(read));
    }
    text.push_str(&input_support(case));
    for external in case.externals {
        if let Some(definition) = definition(external, case) {
            text.push('\n');
            text.push_str(&definition);
        }
    }
    if fails_to_allocate(case) {
        text.push_str(&allocation(case));
    }
    if let Some(caller) = &case.caller {
        text.push_str(&caller.text);
    }
    text
}

/// The command that compiles the program with this file.
#[must_use]
pub fn compile_flags(shows: Shows) -> &'static str {
    match shows {
        Shows::MemoryError => "-g -fsanitize=address,leak,bounds -fno-sanitize-recover=bounds",
        Shows::Leak | Shows::Unfreed | Shows::Error => "-g -fsanitize=address,leak",
        Shows::Hang { .. } => "-g -fsanitize-coverage=trace-pc",
    }
}

fn header(case: &TestCase<'_>) -> String {
    let expectation = match case.shows {
        Shows::MemoryError => {
            "AddressSanitizer reports the error, or -fsanitize=bounds an index within an object."
        }
        Shows::Leak => "LeakSanitizer reports the block that is lost.",
        Shows::Unfreed => "LeakSanitizer reports the block that is not freed.",
        Shows::Error => "the program is aborted where the error is reached.",
        Shows::Hang { .. } => "the program says \"step count passed\" and is ended.",
    };
    let wrap = if fails_to_allocate(case) {
        " -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc"
    } else {
        ""
    };
    let hides = if case.caller.as_ref().is_some_and(|it| it.hides_main) {
        " -Dmain=wane_main_of_the_program"
    } else {
        ""
    };
    let mut text = format!(
        "/* A test case that wane wrote.\n *\n * {}\n *\n * cc {}{wrap}{hides} {} THIS_FILE\n * {}\n",
        comment_text(case.reason),
        compile_flags(case.shows),
        comment_text(&case.files.join(" ")),
        expectation,
    );
    text.push_str(&how_it_is_started(case));
    let mut unwritten = case.given.iter().filter(|it| it.function.is_none());
    if unwritten.clone().any(|it| it.value != 0) {
        text.push_str(
            " * The run reads what nothing was written to, and finds there a value that this\n \
             * file cannot supply.\n",
        );
    } else if unwritten.next().is_some() {
        text.push_str(" * The run reads zero from what nothing was written to.\n");
        text.push_str(" * -ftrivial-auto-var-init=zero makes sure of that.\n");
    }
    match fed(case) {
        Some(_) => {
            text.push_str(" * What the program reads from its standard input is in this file.\n")
        }
        None => text.push_str(&what_is_read(case)),
    }
    text.push_str(" */\n");
    text
}

/// The call of the program, with its arguments and its own name where these matter.
fn how_it_is_started(case: &TestCase<'_>) -> String {
    let first = case.given.iter().find(|it| it.function.as_deref() == Some("argc"));
    let n_arguments = first.map_or(0, |it| it.value.saturating_sub(1));
    let is_whole = |it: &String| it.ends_with('"');
    let mut words = case.arguments.iter().chain(&case.own_name);
    let is_complete =
        i128::try_from(case.arguments.len()) == Ok(n_arguments) && words.all(is_whole);
    let arguments: Vec<String> = case.arguments.iter().map(|it| word(it)).collect();
    let arguments = comment_text(&arguments.join(" "));
    match &case.own_name {
        None if n_arguments < 1 => String::new(),
        None if is_complete => format!(" * Run it as ./a.out {arguments}\n"),
        Some(name) if is_complete => {
            let name = comment_text(&word(name));
            let call = format!("exec -a {name} ./a.out {arguments}");
            format!(" * In bash, run it as ({})\n", call.trim_end())
        }
        Some(name) => {
            let name = comment_text(name);
            format!(" * Run it by the name {name} with {n_arguments} arguments.\n")
        }
        None => format!(" * Run it with {n_arguments} arguments.\n"),
    }
}

/// A text as C writes it, as a word for a shell: bash knows the same escapes between `$'` and `'`.
fn word(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    match inner.filter(|it| it.contains(['\\', '$', '`', '!'])) {
        Some(inner) => format!("$'{inner}'"),
        None => text.to_owned(),
    }
}

/// What only writes: nothing that a person can supply is read there.
const WRITERS: [&str; 12] = [
    "putchar", "putc", "fputc", "puts", "fputs", "printf", "fprintf", "vprintf", "vfprintf",
    "fwrite", "fflush", "perror",
];

/// What the run reads from streams, which the file does not supply, in order.
fn what_is_read(case: &TestCase<'_>) -> String {
    let is_read = |name: &str| {
        let by_library = |it: &External| it.name == name && it.role == Role::Library;
        HavocSource::is_in_library(name) || case.externals.iter().any(by_library)
    };
    let named = case.given.iter().filter_map(|it| Some((it.function.as_deref()?, it.value)));
    let named = named.filter(|(name, _)| !WRITERS.contains(name));
    let mut read: Vec<(&str, i128, usize)> = Vec::new();
    for (name, value) in named.filter(|(name, _)| is_read(name)) {
        match read.last_mut() {
            Some((last, known, count)) if *last == name && *known == value => *count += 1,
            _ => read.push((name, value, 1)),
        }
    }
    if read.is_empty() {
        return String::new();
    }
    let mut text =
        " * The program reads what this file does not supply: give it an input for which\n \
                    * it reads as the run does, in order (bytes and numbers, 1 where a reading\n \
                    * succeeds, 0 or -1 where it does not):\n"
            .to_owned();
    for (name, value, count) in read.iter().take(MAX_READ) {
        let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
        let _ = writeln!(text, " *   {} gives {value}{times}", comment_text(name));
    }
    if read.len() > MAX_READ {
        let _ = writeln!(text, " *   and {} more", read.len() - MAX_READ);
    }
    text
}

/// Text that cannot end a comment.
fn comment_text(text: &str) -> String {
    text.replace("*/", "* /").replace(['\n', '\r'], " ")
}

const PREAMBLE: &str = r#"
#if defined(__clang__)
#define WANE_UNCOUNTED __attribute__((no_sanitize("coverage")))
#elif defined(__GNUC__) && __GNUC__ >= 12
#define WANE_UNCOUNTED __attribute__((no_sanitize_coverage))
#else
#define WANE_UNCOUNTED
#endif
/* The program's own definitions win. */
#define WANE_STAND_IN WANE_UNCOUNTED __attribute__((weak))

/* What is needed of the C library goes by names that no program has. */
#define WANE_TEXT(name) #name
#define WANE_EXPANDED(name) WANE_TEXT(name)
#define WANE_NAMED(name) __asm__(WANE_EXPANDED(__USER_LABEL_PREFIX__) name)
extern void wane_leave(int status) WANE_NAMED("_Exit");
extern void wane_exit(int status) WANE_NAMED("exit");
extern void wane_abort(void) WANE_NAMED("abort");
extern long wane_write(int file, const void *text, __SIZE_TYPE__ length) WANE_NAMED("write");

WANE_UNCOUNTED static void wane_say(const char *text)
{
    __SIZE_TYPE__ length = 0;
    while (text[length])
        length++;
    if (wane_write(2, text, length) < 0)
        wane_leave(3);
}
"#;

/// Memory that nothing was written to holds zero, as in the run. For what is
/// merely not freed, nothing counts as a root.
fn sanitizer_options(shows: Shows) -> String {
    let leaks = match shows {
        Shows::Unfreed => "use_globals=0:use_stacks=0:use_registers=0:use_tls=0:use_root_regions=0",
        // What a stack held that is gone now leads nowhere.
        Shows::Leak => "use_stacks=0:use_registers=0",
        Shows::MemoryError | Shows::Error | Shows::Hang { .. } => "use_registers=0",
    };
    let detect = match shows {
        Shows::Leak | Shows::Unfreed | Shows::MemoryError => 1,
        Shows::Error | Shows::Hang { .. } => 0,
    };
    format!(
        r#"
const char *__asan_default_options(void)
{{
    return "detect_leaks={detect}:malloc_fill_byte=0:max_malloc_fill_size=1073741824:"
           "allocator_may_return_null=1:detect_stack_use_after_return=1";
}}

const char *__lsan_default_options(void)
{{
    return "{leaks}";
}}
"#
    )
}

/// Counts what the compiler marks as a step, and input.
fn counter(n_steps: u64) -> String {
    format!(
        r#"
static unsigned long long wane_steps;

WANE_UNCOUNTED static void wane_step(void)
{{
    if (++wane_steps == {n_steps}ULL) {{
        wane_say("wane: step count passed\n");
        wane_leave(1);
    }}
}}

WANE_UNCOUNTED void __sanitizer_cov_trace_pc(void)
{{
    wane_step();
}}
"#
    )
}

/// A loop without any step is ended by the processor's clock: by signal 26 (SIGVTALRM)
/// of timer 1 (ITIMER_VIRTUAL).
const CLOCK: &str = r#"
#if defined(__unix__) || defined(__APPLE__)
struct wane_timer {
    struct { long seconds, microseconds; } again, first;
};
extern void (*wane_signal(int number, void (*handler)(int)))(int) WANE_NAMED("signal");
extern int wane_setitimer(int which, const struct wane_timer *timer, void *old)
    WANE_NAMED("setitimer");

WANE_UNCOUNTED static void wane_time_is_over(int signal)
{
    (void)signal;
    wane_say("wane: step count passed (by the processor's clock: 2 seconds)\n");
    wane_leave(1);
}

WANE_UNCOUNTED __attribute__((constructor)) static void wane_start_clock(void)
{
    struct wane_timer limit = { { 0, 0 }, { 2, 0 } };
    wane_signal(26, wane_time_is_over);
    wane_setitimer(1, &limit, 0);
}
#endif
"#;

/// The same by the clock on the wall, where the program has a function of that name: by signal 14
/// (SIGALRM).
const ALARM: &str = r#"
#if defined(__unix__) || defined(__APPLE__)
extern void (*wane_signal(int number, void (*handler)(int)))(int) WANE_NAMED("signal");
extern unsigned wane_alarm(unsigned seconds) WANE_NAMED("alarm");

WANE_UNCOUNTED static void wane_time_is_over(int signal)
{
    (void)signal;
    wane_say("wane: step count passed (by the clock: 3 seconds)\n");
    wane_leave(1);
}

WANE_UNCOUNTED __attribute__((constructor)) static void wane_start_clock(void)
{
    wane_signal(14, wane_time_is_over);
    wane_alarm(3);
}
#endif
"#;

/// What opens files: what is read may be in these.
const OPENERS: [&str; 10] = [
    "accept", "fdopen", "fmemopen", "fopen", "fopen64", "freopen", "open", "popen", "socket",
    "tmpfile",
];

/// What the file puts into the standard input; nothing where that is not known, or the program reads
/// files as well.
fn fed<'a>(case: &'a TestCase<'_>) -> Option<&'a [u8]> {
    let opens = case.externals.iter().any(|it| OPENERS.contains(&it.name.as_str()));
    case.read.as_deref().filter(|_| !opens)
}

/// Puts a text into the standard input.
fn feeder(read: &[u8]) -> String {
    let mut text = if read.is_empty() { "\"\"".to_owned() } else { String::new() };
    for (number, line) in read.split_inclusive(|it| *it == b'\n').enumerate() {
        let start = if number == 0 { "" } else { "\n        " };
        let _ = write!(text, "{start}\"{}\"", escaped(line));
    }
    format!(
        r#"
#if defined(__unix__) || defined(__APPLE__)
extern int wane_pipe(int ends[2]) WANE_NAMED("pipe");
extern int wane_dup2(int from, int to) WANE_NAMED("dup2");
extern int wane_close(int file) WANE_NAMED("close");

WANE_UNCOUNTED __attribute__((constructor)) static void wane_feed(void)
{{
    static const char text[] =
        {text};
    int ends[2];
    if (wane_pipe(ends) != 0 || wane_write(ends[1], text, sizeof text - 1) < 0 ||
        wane_dup2(ends[0], 0) < 0 || wane_close(ends[0]) != 0 || wane_close(ends[1]) != 0)
        wane_leave(3);
}}
#endif
"#
    )
}

/// Bytes as C writes them in a text: each number has all its digits, so that none is read on.
fn escaped(bytes: &[u8]) -> String {
    let one = |byte: &u8| match byte {
        b'\n' => "\\n".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b'"' => "\\\"".to_owned(),
        b'?' => "\\?".to_owned(),
        b' '..=b'~' => char::from(*byte).to_string(),
        other => format!("\\{other:03o}"),
    };
    bytes.iter().map(one).collect()
}

/// The values of one function: those of the run, and those that are repeated.
struct Values {
    once: Vec<i128>,
    repeated: Vec<i128>,
}

fn values_of(function: &str, case: &TestCase<'_>) -> Values {
    let of = |given: &[Given]| {
        let own = given.iter().filter(|it| it.function.as_deref() == Some(function));
        own.map(|it| it.value).collect()
    };
    Values { once: of(case.given), repeated: of(case.repeated) }
}

fn input_support(case: &TestCase<'_>) -> String {
    let step = match case.shows {
        Shows::Hang { .. } => "    wane_step();\n",
        Shows::MemoryError | Shows::Leak | Shows::Unfreed | Shows::Error => "",
    };
    format!(
        r#"
struct wane_list {{
    const unsigned long long *values;
    unsigned long count;
    unsigned long first_repeated;
    unsigned long next;
}};

WANE_UNCOUNTED static unsigned long long wane_next(struct wane_list *list)
{{
    static unsigned long beyond;
{step}    if (list->next == list->count && list->first_repeated < list->count)
        list->next = list->first_repeated;
    if (list->next < list->count)
        return list->values[list->next++];
    if (++beyond > {CALLS_BEYOND}) {{
        wane_say("wane: all values of the run are used up\n");
        wane_exit(0);
    }}
    return 0;
}}
"#
    )
}

/// A list of values with its name.
fn list(name: &str, values: &Values) -> String {
    let numbers: Vec<String> =
        values.once.iter().chain(&values.repeated).map(|value| literal(*value)).collect();
    let count = numbers.len();
    let numbers = if numbers.is_empty() { "0".to_owned() } else { numbers.join(", ") };
    format!(
        "static const unsigned long long wane_values_of_{name}[] = {{ {numbers} }};\n\
         static struct wane_list wane_list_of_{name} = {{ wane_values_of_{name}, {count}, {}, 0 }};\n",
        values.once.len(),
    )
}

/// A number reduced to 64 bits.
pub(super) fn literal(value: i128) -> String {
    let word = u64::try_from(value.rem_euclid(1 << 64)).unwrap_or(0);
    match i64::try_from(value) {
        Ok(small) if small > i64::MIN => format!("{small}LL"),
        Ok(_) | Err(_) => format!("{word}ULL"),
    }
}

/// What the file defines in place of a function.
fn definition(external: &External, case: &TestCase<'_>) -> Option<String> {
    let External { name, result, role } = external;
    let result = (*result)?;
    let values = values_of(name, case);
    let is_listed = !values.once.is_empty() || !values.repeated.is_empty();
    let uncounted = "WANE_STAND_IN ";
    let body = match role {
        Role::Library => return None,
        Role::LibraryInput if !is_listed => return None,
        // It reads what this file puts into the standard input.
        Role::LibraryInput if is_reader(name) && fed(case).is_some() => return None,
        Role::Input | Role::LibraryInput if result == "void" => {
            format!("{uncounted}void {name}()\n{{\n}}\n")
        }
        Role::Input | Role::LibraryInput => {
            let cast = if result == "void *" {
                "(void *)(__UINTPTR_TYPE__)".to_owned()
            } else {
                format!("({result})")
            };
            format!(
                "{}\n{uncounted}{result} {name}()\n{{\n    return {cast}wane_next(&wane_list_of_{name});\n}}\n",
                list(name, &values)
            )
        }
        Role::Nothing if result == "void" => format!("{uncounted}void {name}()\n{{\n}}\n"),
        Role::Nothing => format!("{uncounted}{result} {name}()\n{{\n    return 0;\n}}\n"),
        Role::Assume => condition(name, result, "wane_exit(0)"),
        Role::Assert => {
            condition(name, result, "wane_say(\"wane: an assertion fails\\n\"), wane_abort()")
        }
        Role::Error => format!(
            "{uncounted}{result} {name}()\n{{\n    wane_say(\"wane: {name} is reached\\n\");\n    wane_abort();\n}}\n"
        ),
        Role::Allocate => format!(
            "extern void *wane_malloc(__SIZE_TYPE__ size) WANE_NAMED(\"malloc\");\n\n\
             {uncounted}void *{name}(__SIZE_TYPE__ size)\n{{\n    return wane_malloc(size);\n}}\n"
        ),
        Role::Free => format!(
            "extern void wane_free(void *block) WANE_NAMED(\"free\");\n\n\
             {uncounted}void {name}(void *block)\n{{\n    wane_free(block);\n}}\n"
        ),
    };
    Some(body)
}

fn condition(name: &str, result: &str, otherwise: &str) -> String {
    let answer = if result == "void" { "" } else { "    return 0;\n" };
    format!(
        "WANE_STAND_IN {result} {name}(int condition)\n{{\n    if (!condition)\n        \
         {otherwise};\n{answer}}}\n"
    )
}

/// The functions that allocate, and that the run chose an answer of.
const ALLOCATING: [(&str, &str, &str); 3] = [
    ("malloc", "__SIZE_TYPE__ size", "size"),
    ("calloc", "__SIZE_TYPE__ count, __SIZE_TYPE__ size", "count, size"),
    ("realloc", "void *block, __SIZE_TYPE__ size", "block, size"),
];

fn fails_to_allocate(case: &TestCase<'_>) -> bool {
    let mut all = case.given.iter().chain(case.repeated);
    all.any(|it| ALLOCATING.iter().any(|(name, ..)| it.function.as_deref() == Some(name)))
}

/// Allocation that fails where it did in the run, and nowhere else. The linker puts
/// it in the way of the program's calls.
fn allocation(case: &TestCase<'_>) -> String {
    let mut text = String::new();
    for (name, formals, actuals) in ALLOCATING {
        let mut values = values_of(name, case);
        // Behind the run memory is there.
        values.once.resize(values.once.len().max(1), 1);
        let numbers: BTreeMap<usize, i128> =
            values.once.iter().copied().enumerate().filter(|(_, value)| *value == 0).collect();
        let mut cases = String::new();
        for call in numbers.keys() {
            let _ = writeln!(cases, "    case {call}:");
        }
        let fails =
            if cases.is_empty() { String::new() } else { format!("{cases}        return 0;\n") };
        let _ = write!(
            text,
            "\nextern void *__real_{name}({formals});\n\n\
             WANE_UNCOUNTED void *__wrap_{name}({formals})\n{{\n    static unsigned long calls;\n    \
             switch (calls++) {{\n{fails}    default:\n        return __real_{name}({actuals});\n    }}\n}}\n"
        );
    }
    text
}
