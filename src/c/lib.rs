//! C to goto programs.
//!
//! [`preprocess::preprocess`] runs the system's preprocessor, [`parse`] parses the files of
//! a program (`wane-grammar`), and [`compile_parsed`] does the rest: it finds types and
//! layout (`types`), links the files and lowers what the entry function can reach
//! (`lower`). Later modules know nothing of C.
//!
//! To add a library function: a paragraph in a file of `models`.

mod columns;
pub mod database;
pub mod external;
pub mod hooks;
mod layout;
mod library;
mod lower;
mod parsed;
pub mod preprocess;
mod shared_list;
mod types;

use base::source::{SourceMap, Span};
use ir::Program;
use ir::semantics::Definedness;
pub use ir::semantics::IntModel;
pub use lower::symbols::{Entries, EntryPoint, Symbols};
pub use lower::unsequenced::{ORDER_AMONG_THREADS, ORDER_LEFT_OPEN};
pub use parsed::{Appendix, Extent, Parsed};
use std::{io, thread};

/// Widths of integer types and addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    /// 64-bit `long` and addresses (Linux and macOS on 64-bit machines).
    Lp64,
    /// 32-bit `int`, `long` and addresses.
    Ilp32,
}

impl DataModel {
    /// Bytes in an address.
    #[must_use]
    pub fn pointer_bytes(self) -> u32 {
        match self {
            Self::Lp64 => 8,
            Self::Ilp32 => 4,
        }
    }

    fn long_bits(self) -> u8 {
        match self {
            Self::Lp64 => 64,
            Self::Ilp32 => 32,
        }
    }

    fn long_double_bytes(self) -> u8 {
        match self {
            Self::Lp64 => 16,
            Self::Ilp32 => 12,
        }
    }

    fn va_list_bytes(self) -> u64 {
        match self {
            Self::Lp64 => 24,
            Self::Ilp32 => 4,
        }
    }

    /// The largest alignment of a scalar in a structure.
    fn largest_alignment(self, ty: &types::Type) -> u64 {
        match (self, ty) {
            (Self::Lp64, _)
            | (
                Self::Ilp32,
                types::Type::Int(types::Integer::Int128 | types::Integer::UnsignedInt128),
            ) => 16,
            (Self::Ilp32, _) => 4,
        }
    }
}

/// What `malloc` may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MallocModel {
    /// Always a block.
    Succeeds,
    /// A block or null.
    MayFail,
}

/// Whether files and streams that a program reads end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Each of them ends at some time.
    Ends,
    /// There may always be more.
    Endless,
}

/// How a C file is to be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Widths and alignments.
    pub data_model: DataModel,
    /// What integers are.
    pub int_model: IntModel,
    /// What `malloc` may answer.
    pub malloc: MallocModel,
    /// Whether what the program reads ends.
    pub input: Input,
    /// The function where execution starts, called with arbitrary arguments.
    pub entry: Option<String>,
    /// Who calls it, where it is not `main`.
    pub caller: Caller,
    /// What functions of threads are.
    pub threads: Threads,
    /// What results of atomic operations on signed integers are.
    pub atomics: Atomics,
    /// Whether proofs that runs end may be about those runs only that C defines.
    pub definedness: Definedness,
}

/// What results of atomic operations on signed integers are, where other results may not leave
/// the range of their type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Atomics {
    /// They wrap around silently, as C says.
    #[default]
    Wrapping,
    /// They are exact: asked for are numbers without bounds.
    Exact,
}

/// Who calls the function where execution starts, if that is not `main`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caller {
    /// Anyone: what it is handed is arbitrary.
    #[default]
    Anyone,
    /// Somebody who hands over objects of the declared types, for the first time: variables of the
    /// file hold what they hold at the start.
    WithObjects,
}

/// What the functions that start threads and let them wait for each other are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// There is one thread: to start another one is not modelled.
    #[default]
    One,
    /// Calls of models that the product of the threads (`reduce::threads`) knows.
    Many,
}

impl Default for Options {
    /// LP64, C's integers, runs that C defines, `malloc` that does not fail, input that ends, `main`.
    fn default() -> Self {
        Self {
            data_model: DataModel::Lp64,
            int_model: IntModel::C,
            malloc: MallocModel::Succeeds,
            input: Input::Ends,
            entry: None,
            caller: Caller::Anyone,
            threads: Threads::One,
            atomics: Atomics::Wrapping,
            definedness: Definedness::Assumed,
        }
    }
}

/// What is wrong with a C file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where it was found.
    pub span: Span,
    /// What is wrong, as a phrase without a full stop.
    pub message: String,
}

/// A C file that cannot be read.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// The files that the spans point into.
    pub sources: SourceMap,
    /// What is wrong; at least one.
    pub errors: Vec<SyntaxError>,
}

/// A C file as a goto program.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// The functions that it calls and does not define, by name.
    pub externals: Vec<external::External>,
    /// What is taken for granted of the world outside, as sentences without a full stop.
    pub assumptions: Vec<String>,
    /// The file of the entry function, as the user named it.
    pub file: String,
}

/// C text after preprocessing.
#[derive(Clone, Debug)]
pub struct PreprocessedSource {
    /// The file's name, as the user gave it.
    pub name: String,
    /// Its text, perhaps with line markers.
    pub text: String,
}

/// Stack for the walks along syntax trees, whose depth the parser limits.
const STACK_BYTES: usize = 512 << 20;

/// Parses the files of a program, in the order in which a linker takes them.
///
/// # Errors
/// The first place where one of them is no C.
pub fn parse(sources: &[PreprocessedSource], input: Input) -> Result<Parsed, Rejection> {
    let name = sources.first().map_or("", |source| source.name.as_str());
    with_stack(name, || parsed::parse(sources, input))
}

/// The same program, with more text behind that of its last file.
///
/// # Errors
/// The first place where the text is no C.
pub fn with_appendix(parsed: &Parsed, appendix: Appendix) -> Result<Parsed, Rejection> {
    let name = parsed.names().first().map_or("", String::as_str);
    with_stack(name, || parsed.with_appendix(appendix))
}

/// Whether a program defines `main`.
#[must_use]
pub fn defines_main(parsed: &Parsed) -> bool {
    lower::symbols::defines_main(parsed.files())
}

/// The names of a program that linking is about.
#[must_use]
pub fn symbols(parsed: &Parsed) -> Symbols {
    lower::symbols::symbols(parsed.files())
}

/// The functions where a program can be entered, in the order of the text.
#[must_use]
pub fn entry_points(parsed: &Parsed, entries: Entries) -> Vec<EntryPoint> {
    lower::symbols::entry_points(parsed.files(), entries)
}

/// That no function of a name is defined.
#[must_use]
pub fn missing_function(name: &str) -> String {
    format!("no function `{name}` is defined here")
}

/// Turns preprocessed C into a goto program.
///
/// # Errors
/// Places where the text is no C that can be given a meaning. Constructs that
/// are understood but not modelled are no errors: they become
/// [`ir::Command::Unsupported`].
pub fn compile(source: &PreprocessedSource, options: &Options) -> Result<Program, Rejection> {
    let parsed = parse(std::slice::from_ref(source), options.input)?;
    Ok(compile_parsed(&parsed, options)?.program)
}

/// The same for a program that is parsed, with what it leaves to others.
///
/// # Errors
/// As [`compile`].
pub fn compile_parsed(parsed: &Parsed, options: &Options) -> Result<Compiled, Rejection> {
    let name = parsed.names().first().map_or("", String::as_str);
    with_stack(name, || {
        parsed.with_declarations(|files, known| lower::compile(files, known, options))
    })
}

/// Works with enough stack for the walks along syntax trees.
fn with_stack<T: Send>(
    name: &str,
    work: impl FnOnce() -> Result<T, Rejection> + Send,
) -> Result<T, Rejection> {
    on_a_large_stack(work).unwrap_or_else(|error| {
        Err(Rejection {
            sources: SourceMap { files: vec![name.to_owned()] },
            errors: vec![SyntaxError {
                span: Span::NOWHERE,
                message: format!("no thread for the front end: {error}"),
            }],
        })
    })
}

/// Works on a thread with enough stack for the walks along syntax trees, and what is made of them.
///
/// # Errors
/// The system gives no such thread; then nothing is done.
fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        thread.join().map_or_else(|panic| std::panic::resume_unwind(panic), Ok)
    })
}
