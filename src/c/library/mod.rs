//! What is known of functions that a file calls but does not define.
//!
//! Most are written in C ([`models`]). The table here has what C text cannot say: the
//! primitives that the models are made of, and names that verifiers share.

pub(super) mod models;
pub(super) mod prototype;

/// The meaning of a known function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Model {
    /// A block of the given number of bytes, as `malloc`.
    Allocate,
    /// A zeroed block of count times size, as `calloc`.
    AllocateZeroed,
    /// Frees the first argument and allocates as many bytes as the last one
    /// (the last two multiplied, for `reallocarray`) says.
    Reallocate,
    /// Memory of the calling procedure, as `alloca`.
    AllocateOnStack,
    /// `free`
    Free,
    /// `memset`
    Fill,
    /// `memmove`
    Copy,
    /// `memcpy`
    CopyApart,
    /// What is written once is constant from here on.
    Seal,
    /// The program ends.
    Halt,
    /// The property `reach` is violated.
    Error,
    /// The run ends silently if the argument is 0.
    Assume,
    /// No run that C defines comes to the place.
    Undefined,
    /// What others do is taken for granted: 1 in a function by itself, elsewhere 0.
    Awaits,
    /// `__VERIFIER_assert`: an error if the argument is 0.
    Assert,
    /// The result is an input; nothing else happens.
    Input,
    /// What `$step` does, if the program has it.
    Step,
    /// Nothing happens; the result is 0 or void.
    Nothing,
    /// Nothing happens; the result is the first argument.
    First,
    /// The magnitude of the argument.
    Absolute,
    /// A block that lives for ever.
    AllocateForEver,
    /// A block that is an open stream.
    BeginStream,
    /// An open stream ends.
    EndStream,
    /// The result is how often a stream can be read that has just been opened.
    Rounds,
    /// The result is not modelled.
    Guess,
    /// The result is 0: the compiler knows nothing of its argument.
    Zero,
    /// `printf` and its like.
    Print(Output, Letters),
    /// `scanf` and its like.
    Scan(Source, Letters),
    /// `err`: a message, then `exit`.
    PrintAndExit,
    /// Not modelled.
    Unsupported,
    /// What memory holds behind it is not modelled.
    Clobber,
}

/// Where formatted output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// To standard output; the format is the first argument.
    Standard,
    /// To standard error; the format is the first argument.
    Errors,
    /// To the stream that is the first argument.
    Stream,
    /// Somewhere; the format is the second argument.
    Elsewhere,
    /// Into the buffer that is the first argument.
    Buffer,
    /// Into a buffer whose size is the second argument.
    SizedBuffer,
    /// Into a new block; the first argument is where its address goes.
    NewBlock,
}

/// What formats and texts are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    /// Bytes.
    Narrow,
    /// Wide characters.
    Wide,
}

/// Where formatted input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// From standard input.
    Standard,
    /// From the stream that is the first argument.
    Stream,
    /// From the text that is the first argument.
    Text,
}

/// Exact names.
const TABLE: &[(&str, Model)] = &[
    ("malloc", Model::Allocate),
    ("kmalloc", Model::Allocate),
    ("xmalloc", Model::Allocate),
    ("valloc", Model::Allocate),
    ("calloc", Model::AllocateZeroed),
    ("realloc", Model::Reallocate),
    ("reallocarray", Model::Reallocate),
    ("alloca", Model::AllocateOnStack),
    ("_alloca", Model::AllocateOnStack),
    ("__alloca", Model::AllocateOnStack),
    ("free", Model::Free),
    ("cfree", Model::Free),
    ("kfree", Model::Free),
    ("memset", Model::Fill),
    ("memcpy", Model::CopyApart),
    ("memmove", Model::Copy),
    ("abort", Model::Halt),
    ("exit", Model::Halt),
    ("_exit", Model::Halt),
    ("_Exit", Model::Halt),
    ("quick_exit", Model::Halt),
    ("__builtin_trap", Model::Halt),
    ("__builtin_unreachable", Model::Undefined),
    ("__assert_fail", Model::Error),
    ("__assert_perror_fail", Model::Error),
    ("__assert", Model::Error),
    ("__assert_rtn", Model::Error),
    ("__assert_func", Model::Error),
    ("__VERIFIER_assume", Model::Assume),
    ("__CPROVER_assume", Model::Assume),
    ("assume", Model::Assume),
    ("__VERIFIER_assert", Model::Assert),
    ("__CPROVER_assert", Model::Assert),
    ("__VERIFIER_ltl_step", Model::Step),
    ("__VERIFIER_atomic_begin", Model::Nothing),
    ("__VERIFIER_atomic_end", Model::Nothing),
    ("__builtin_prefetch", Model::Nothing),
    ("__builtin_va_start", Model::Nothing),
    ("__builtin_va_end", Model::Nothing),
    ("__builtin_va_copy", Model::Nothing),
    ("va_start", Model::Nothing),
    ("va_end", Model::Nothing),
    ("va_copy", Model::Nothing),
    ("__builtin_va_arg_pack", Model::Nothing),
    ("__builtin_clear_cache", Model::Nothing),
    ("__builtin_expect", Model::First),
    ("__builtin_expect_with_probability", Model::First),
    ("__builtin_assume_aligned", Model::First),
    ("__builtin_constant_p", Model::Zero),
    ("abs", Model::Absolute),
    ("labs", Model::Absolute),
    ("llabs", Model::Absolute),
    ("nondet", Model::Input),
    ("printk", Model::Print(Output::Standard, Letters::Narrow)),
    ("printf", Model::Print(Output::Standard, Letters::Narrow)),
    ("vprintf", Model::Print(Output::Standard, Letters::Narrow)),
    ("fprintf", Model::Print(Output::Stream, Letters::Narrow)),
    ("vfprintf", Model::Print(Output::Stream, Letters::Narrow)),
    ("dprintf", Model::Print(Output::Elsewhere, Letters::Narrow)),
    ("vdprintf", Model::Print(Output::Elsewhere, Letters::Narrow)),
    ("syslog", Model::Print(Output::Elsewhere, Letters::Narrow)),
    ("err", Model::PrintAndExit),
    ("errx", Model::PrintAndExit),
    ("warn", Model::Print(Output::Errors, Letters::Narrow)),
    ("warnx", Model::Print(Output::Errors, Letters::Narrow)),
    ("sprintf", Model::Print(Output::Buffer, Letters::Narrow)),
    ("vsprintf", Model::Print(Output::Buffer, Letters::Narrow)),
    ("snprintf", Model::Print(Output::SizedBuffer, Letters::Narrow)),
    ("vsnprintf", Model::Print(Output::SizedBuffer, Letters::Narrow)),
    ("scanf", Model::Scan(Source::Standard, Letters::Narrow)),
    ("vscanf", Model::Scan(Source::Standard, Letters::Narrow)),
    ("fscanf", Model::Scan(Source::Stream, Letters::Narrow)),
    ("vfscanf", Model::Scan(Source::Stream, Letters::Narrow)),
    ("sscanf", Model::Scan(Source::Text, Letters::Narrow)),
    ("vsscanf", Model::Scan(Source::Text, Letters::Narrow)),
    ("wprintf", Model::Print(Output::Standard, Letters::Wide)),
    ("vwprintf", Model::Print(Output::Standard, Letters::Wide)),
    ("fwprintf", Model::Print(Output::Stream, Letters::Wide)),
    ("vfwprintf", Model::Print(Output::Stream, Letters::Wide)),
    ("swprintf", Model::Print(Output::SizedBuffer, Letters::Wide)),
    ("vswprintf", Model::Print(Output::SizedBuffer, Letters::Wide)),
    ("wscanf", Model::Scan(Source::Standard, Letters::Wide)),
    ("fwscanf", Model::Scan(Source::Stream, Letters::Wide)),
    ("swscanf", Model::Scan(Source::Text, Letters::Wide)),
    ("asprintf", Model::Print(Output::NewBlock, Letters::Narrow)),
    ("vasprintf", Model::Print(Output::NewBlock, Letters::Narrow)),
    ("signal", Model::Unsupported),
    ("sigaction", Model::Unsupported),
    ("setjmp", Model::Unsupported),
    ("_setjmp", Model::Unsupported),
    ("__sigsetjmp", Model::Unsupported),
    ("longjmp", Model::Unsupported),
    ("siglongjmp", Model::Unsupported),
    ("fork", Model::Unsupported),
    ("vfork", Model::Unsupported),
    ("clone", Model::Unsupported),
    ("syscall", Model::Unsupported),
    ("raise", Model::Unsupported),
    ("kill", Model::Unsupported),
    ("timer_create", Model::Unsupported),
    ("thrd_create", Model::Unsupported),
];

/// What the models are made of, without their prefix.
const PRIMITIVES: &[(&str, Model)] = &[
    ("assume", Model::Assume),
    ("unsupported", Model::Unsupported),
    ("clobber", Model::Clobber),
    ("undefined", Model::Undefined),
    ("awaits", Model::Awaits),
    ("halt", Model::Halt),
    ("allocate", Model::Allocate),
    ("allocate_zeroed", Model::AllocateZeroed),
    ("release", Model::Free),
    ("temporary", Model::AllocateOnStack),
    ("lasting", Model::AllocateForEver),
    ("begin_stream", Model::BeginStream),
    ("end_stream", Model::EndStream),
    ("copy", Model::Copy),
    ("copy_apart", Model::CopyApart),
    ("seal", Model::Seal),
    ("fill", Model::Fill),
    ("some_int", Model::Input),
    ("some_letter", Model::Input),
    ("some_char", Model::Input),
    ("some_size", Model::Input),
    ("some_wide", Model::Input),
    ("some_rounds", Model::Rounds),
    ("unknown_int", Model::Guess),
    ("unknown_size", Model::Guess),
    ("unknown_wide", Model::Guess),
    ("unknown_unsigned", Model::Guess),
    ("unknown_double", Model::Guess),
    ("unknown_pointer", Model::Guess),
];

/// Names that begin so.
const PREFIXES: &[(&str, Model)] = &[
    ("__VERIFIER_nondet", Model::Input),
    ("nondet_", Model::Input),
    ("__VERIFIER_plot", Model::Nothing),
    ("___sl_", Model::Nothing),
    ("__nondet", Model::Input),
    ("pthread_", Model::Unsupported),
];

/// What is known of a function by its name.
pub(super) fn model(name: &str) -> Option<Model> {
    if is_error(name) {
        return Some(Model::Error);
    }
    if let Some(primitive) = name.strip_prefix(models::HELPER) {
        let found = PRIMITIVES.iter().find(|(known, _)| *known == primitive);
        return found.map(|(_, model)| *model);
    }
    let plain = models::plain_name(name);
    let exact = TABLE.iter().find(|(known, _)| *known == plain || *known == name);
    let found = exact.or_else(|| PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix)));
    found.map(|(_, model)| *model)
}

/// Whether every compiler knows the type of a function that is not declared: one of its own
/// builtins.
pub(super) fn is_builtin(name: &str) -> bool {
    const STRINGS: [&str; 35] = [
        "aligned_alloc",
        "alloca",
        "calloc",
        "index",
        "malloc",
        "memchr",
        "memcpy",
        "memmove",
        "mempcpy",
        "memset",
        "realloc",
        "rindex",
        "stpcpy",
        "stpncpy",
        "strcat",
        "strchr",
        "strcpy",
        "strcspn",
        "strdup",
        "strlen",
        "strncat",
        "strncpy",
        "strndup",
        "strnlen",
        "strpbrk",
        "strrchr",
        "strspn",
        "strstr",
        "fwrite",
        "labs",
        "llabs",
        "imaxabs",
        "strftime",
        "wcslen",
        "memalign",
    ];
    let is_prefixed = ["__builtin_", "__sync_", "__atomic_", "__model_", "__VERIFIER", "__CPROVER"];
    is_prefixed.iter().any(|prefix| name.starts_with(prefix))
        || name.contains("nondet")
        || STRINGS.contains(&name)
        || models::is_of_file("math.c", name)
}

/// Whether a variable that no file defines is one of the C library.
pub(super) fn is_variable(name: &str) -> bool {
    const VARIABLES: [&str; 10] = [
        "__environ",
        "daylight",
        "environ",
        "program_invocation_name",
        "program_invocation_short_name",
        "signgam",
        "sys_errlist",
        "sys_nerr",
        "timezone",
        "tzname",
    ];
    VARIABLES.contains(&name)
}

/// Whether calling a function of this name is what the property `reach` forbids.
pub(super) fn is_error(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}
