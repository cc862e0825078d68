//! What is known of functions that a file calls but does not define: a table.
//!
//! Functions of `string.h` and the like that read and write memory byte by byte
//! are written in C instead, in `prelude.c`: `__wane_f` there stands for `f`.

/// Known functions written in C.
pub(super) const PRELUDE: &str = include_str!("prelude.c");

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
    /// `memcpy`, `memmove`
    Copy,
    /// The program ends.
    Halt,
    /// The property `reach` is violated.
    Error,
    /// The run ends silently if the argument is 0.
    Assume,
    /// The run ends silently; the place is never reached.
    Unreachable,
    /// `__VERIFIER_assert`: an error if the argument is 0.
    Assert,
    /// The result is an input; nothing else happens.
    Input,
    /// Like [`Model::Input`], and the result is not negative.
    NaturalInput,
    /// Nothing happens; the result is 0 or void.
    Nothing,
    /// Nothing happens; the result is the first argument.
    First,
    /// The magnitude of the argument.
    Absolute,
    /// Reads input into what the arguments from this one on point at.
    Scan(usize),
    /// The result is 0: the compiler knows nothing of its argument.
    Zero,
    /// Not modelled.
    Unsupported,
}

/// Whether a model holds even where the file defines the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Priority {
    /// The file's definition wins.
    Default,
    /// The name has a fixed meaning among verifiers.
    Always,
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
    ("memcpy", Model::Copy),
    ("memmove", Model::Copy),
    ("abort", Model::Halt),
    ("exit", Model::Halt),
    ("_exit", Model::Halt),
    ("_Exit", Model::Halt),
    ("quick_exit", Model::Halt),
    ("__builtin_trap", Model::Halt),
    ("__builtin_unreachable", Model::Unreachable),
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
    ("__VERIFIER_atomic_begin", Model::Nothing),
    ("__VERIFIER_atomic_end", Model::Nothing),
    ("srand", Model::Nothing),
    ("srandom", Model::Nothing),
    ("srand48", Model::Nothing),
    ("perror", Model::Nothing),
    ("__builtin_prefetch", Model::Nothing),
    ("__builtin_va_start", Model::Nothing),
    ("__builtin_va_end", Model::Nothing),
    ("__builtin_va_copy", Model::Nothing),
    ("va_start", Model::Nothing),
    ("va_end", Model::Nothing),
    ("va_copy", Model::Nothing),
    ("__builtin_va_arg_pack", Model::Nothing),
    ("__builtin_clear_cache", Model::Nothing),
    ("rewind", Model::Nothing),
    ("setbuf", Model::Nothing),
    ("flockfile", Model::Nothing),
    ("funlockfile", Model::Nothing),
    ("__builtin_expect", Model::First),
    ("__builtin_expect_with_probability", Model::First),
    ("__builtin_assume_aligned", Model::First),
    ("__builtin_constant_p", Model::Zero),
    ("abs", Model::Absolute),
    ("labs", Model::Absolute),
    ("llabs", Model::Absolute),
    ("nondet", Model::Input),
    ("random", Model::NaturalInput),
    ("rand", Model::NaturalInput),
    ("lrand48", Model::NaturalInput),
    ("mrand48", Model::Input),
    ("time", Model::Input),
    ("clock", Model::Input),
    ("sleep", Model::Input),
    ("usleep", Model::Input),
    ("getpid", Model::Input),
    ("printf", Model::Input),
    ("fprintf", Model::Input),
    ("vprintf", Model::Input),
    ("vfprintf", Model::Input),
    ("dprintf", Model::Input),
    ("printk", Model::Input),
    ("syslog", Model::Nothing),
    ("puts", Model::Input),
    ("fputs", Model::Input),
    ("putchar", Model::Input),
    ("putc", Model::Input),
    ("fputc", Model::Input),
    ("putchar_unlocked", Model::Input),
    ("fflush", Model::Input),
    ("fclose", Model::Input),
    ("feof", Model::Input),
    ("ferror", Model::Input),
    ("fopen", Model::Input),
    ("fwrite", Model::Input),
    ("write", Model::Input),
    ("close", Model::Input),
    ("open", Model::Input),
    ("isatty", Model::Input),
    ("getchar", Model::Input),
    ("getchar_unlocked", Model::Input),
    ("getc", Model::Input),
    ("fgetc", Model::Input),
    ("ungetc", Model::Input),
    ("getenv", Model::Input),
    ("system", Model::Input),
    ("signal", Model::Unsupported),
    ("sigaction", Model::Unsupported),
    ("atexit", Model::Unsupported),
    ("setjmp", Model::Unsupported),
    ("_setjmp", Model::Unsupported),
    ("__sigsetjmp", Model::Unsupported),
    ("longjmp", Model::Unsupported),
    ("siglongjmp", Model::Unsupported),
    ("fork", Model::Unsupported),
    ("qsort", Model::Unsupported),
    ("bsearch", Model::Unsupported),
    ("scanf", Model::Scan(1)),
    ("__isoc99_scanf", Model::Scan(1)),
    ("__isoc23_scanf", Model::Scan(1)),
    ("fscanf", Model::Scan(2)),
    ("__isoc99_fscanf", Model::Scan(2)),
    ("__isoc23_fscanf", Model::Scan(2)),
    ("sscanf", Model::Scan(2)),
    ("__isoc99_sscanf", Model::Scan(2)),
    ("__isoc23_sscanf", Model::Scan(2)),
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
pub(super) fn model(name: &str) -> Option<(Model, Priority)> {
    if matches!(name, "reach_error" | "__VERIFIER_error") {
        return Some((Model::Error, Priority::Always));
    }
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let exact = TABLE.iter().find(|(known, _)| *known == plain || *known == name);
    let exact = exact.or_else(|| {
        // `__builtin___memset_chk` and its like only check more.
        let checked = plain.strip_prefix("__")?.strip_suffix("_chk")?;
        TABLE.iter().find(|(known, _)| *known == checked)
    });
    let found = exact.or_else(|| PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix)));
    found.map(|(_, model)| (*model, Priority::Default))
}

/// Whether the prelude has a function that stands for this one.
pub(super) fn is_written_in_c(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    PRELUDE.contains(&format!("__wane_{plain}("))
}
