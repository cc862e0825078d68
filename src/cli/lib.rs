//! The command line: all output and time of wane is here. Flags and commands.
//!
//! To add a flag: a field of `Check` with its help, its effect in `check.rs`, and
//! a test in `tests/command/cli.rs`.

mod audience;
mod check;
mod interrupt;
mod lsp;
mod output;
mod pool;
mod progress;
mod store;
mod test_case;
mod texts;
mod witness;

use base::source::line_and_column;
use c::preprocess::WITH_MACROS;
use c::{Atomics, DataModel, Input, IntModel, MallocModel, Options};
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use heap::claims;
use heap::shape::{ShapeId, ShapeLibrary};
use ir::semantics::Definedness;
use project::read_text;
use question::Question;
use reduce::ctl::branching;
use reduce::ltl::violations;
use reduce::propositions::FormulaError;
use reduce::specification::Monitor;
use report::{self, Colour, Format, codes};
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Proves that C programs stop, and finds out why when they do not. `wane FILE` checks a file.
#[derive(Debug, Parser)]
#[command(name = "wane", version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check properties of programs
    Check(Box<Check>),
    /// Say what a code means, or list all codes
    Explain {
        /// A code, such as W030
        code: Option<String>,
    },
    /// Print a script that completes commands and flags in a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Serve an editor: a language server on the standard input and output
    Lsp {
        /// What some editors add; there is no other way to talk
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Print the shape library as formulas
    Shapes {
        /// More shapes beside the built-in library
        #[arg(long = "shape", value_name = "FILE")]
        shapes: Vec<PathBuf>,
    },
}

/// Exit status: 0 everything is proved; 1 something is refuted; 3 something is
/// unknown; 2 a bad call, or a file that cannot be read.
#[derive(Args, Debug)]
#[command(after_help = "Exit status: 0 everything is proved, 1 something is refuted, \
    3 something is unknown, 2 a bad call or a file that cannot be read.")]
pub(crate) struct Check {
    /// C files (.c, or .i when preprocessed), - for C on the standard input, goto programs
    /// (.goto), transition systems (.smt2, .t2), folders of C files, compilation databases
    /// (compile_commands.json)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Look for headers here, too
    #[arg(short = 'I', value_name = "FOLDER", help_heading = "Preprocessor")]
    folders: Vec<String>,
    /// Define this macro
    #[arg(short = 'D', value_name = "NAME[=TEXT]", help_heading = "Preprocessor")]
    defined: Vec<String>,
    /// Define no such macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Preprocessor")]
    undefined: Vec<String>,
    /// Include this file before all others (also -include FILE)
    #[arg(long = "include", value_name = "FILE", help_heading = "Preprocessor")]
    included: Vec<String>,
    /// The edition of C for the preprocessor, such as c99 (also -std=c99)
    #[arg(long = "std", value_name = "NAME", help_heading = "Preprocessor")]
    standard: Option<String>,
    /// More flags for the C compiler that preprocesses; the environment's CC names it
    #[arg(last = true, value_name = "CC-FLAGS", help_heading = "Preprocessor")]
    compiler_flags: Vec<String>,
    /// What to check: termination, memsafety, memcleanup, reach
    #[arg(long = "property", value_name = "NAME,...", value_delimiter = ',',
          value_parser = question, default_value = "termination,memsafety", help_heading = "Questions")]
    questions: Vec<Question>,
    /// Check this specification of liveness and safety; may be given several times
    #[arg(long, value_name = "FILE", conflicts_with_all = ["questions", "ctl", "ltl", "thread"],
          help_heading = "Questions")]
    spec: Vec<PathBuf>,
    /// Check this formula of computation tree logic
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["questions", "ltl", "thread"],
          help_heading = "Questions")]
    ctl: Option<String>,
    /// Check this formula of linear temporal logic
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["questions", "thread"],
          help_heading = "Questions")]
    ltl: Option<String>,
    /// Check that this function ends when it runs as one thread among others
    #[arg(long, value_name = "FUNCTION", conflicts_with_all = ["questions", "entry"],
          help_heading = "Questions")]
    thread: Option<String>,
    /// Start at this function (or FILE:FUNCTION), with arbitrary arguments, instead of at main
    #[arg(long, value_name = "FUNCTION", help_heading = "Questions")]
    entry: Option<String>,
    /// Start at each function in turn. Where there is no main, that is done without this for
    /// those that others can call
    #[arg(long, conflicts_with = "entry", help_heading = "Questions")]
    all_functions: bool,
    /// More inductive shapes beside the built-in library
    #[arg(long = "shape", value_name = "FILE", help_heading = "Meaning of programs")]
    shapes: Vec<PathBuf>,
    /// Widths of C types
    #[arg(
        long,
        value_name = "MODEL",
        default_value = "lp64",
        help_heading = "Meaning of programs"
    )]
    data_model: DataModelName,
    /// What integers are
    #[arg(long, value_name = "MODEL", default_value = "c", help_heading = "Meaning of programs")]
    int_model: IntModelName,
    /// malloc may return null
    #[arg(long, help_heading = "Meaning of programs")]
    malloc_may_fail: bool,
    /// What the program reads need not end
    #[arg(long, help_heading = "Meaning of programs")]
    endless_input: bool,
    /// Prove that all runs end, and not those alone that C defines: take no access, divisor or
    /// free for granted
    #[arg(long, help_heading = "Meaning of programs")]
    strict: bool,
    /// Take .c files as they are, without running the preprocessor
    #[arg(long, help_heading = "Meaning of programs")]
    no_preprocess: bool,
    /// Seconds for each question about a file
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60", help_heading = "Limits")]
    timeout: Duration,
    /// Steps of work on each question about a file, which no clock or load changes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          default_value_t = project::STEPS, help_heading = "Limits")]
    steps: u64,
    /// Memory for the whole run, in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..),
          default_value_t = 2048, help_heading = "Limits")]
    memory: u64,
    /// Programs and functions that are checked at the same time (default: one a processor)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Limits")]
    jobs: Option<u16>,
    /// How to write the answers
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: FormatName,
    /// Write the answers to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Accept the answers that are listed in this file
    #[arg(long, value_name = "FILE", conflicts_with = "emit", help_heading = "Output")]
    baseline: Option<PathBuf>,
    /// Write all answers that are no proofs to this file, to accept them later
    #[arg(long, value_name = "FILE", conflicts_with_all = ["emit", "baseline"],
          help_heading = "Output")]
    write_baseline: Option<PathBuf>,
    /// Write a C file for each refuted answer into this folder, to compile the program with
    #[arg(long, value_name = "DIR", conflicts_with = "emit", help_heading = "Output")]
    test_case: Option<PathBuf>,
    /// Write witnesses of the answers, in the YAML format of the verification competition
    #[arg(long, value_name = "FILE", conflicts_with = "emit", help_heading = "Output")]
    witness: Option<PathBuf>,
    /// Write the same witnesses for the same input: their time is that of the epoch
    #[arg(long, requires = "witness", help_heading = "Output")]
    deterministic: bool,
    /// Print what the files become on the way to an answer, and check nothing
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["format", "questions", "spec", "ctl", "ltl", "thread"],
          help_heading = "Output")]
    emit: Option<EmitName>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    color: ColourName,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DataModelName {
    /// 64-bit long and addresses
    Lp64,
    /// 32-bit long and addresses
    Ilp32,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum IntModelName {
    /// Types have their widths; unsigned integers wrap, signed ones do not overflow
    C,
    /// Signed integers are unbounded, unsigned ones wrap
    Math,
    /// All integers wrap at their width
    Machine,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatName {
    /// For a person at a terminal
    Human,
    /// Stable JSON, see docs/output.schema.json
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// A page for a browser
    Html,
    /// A line of JSON for each answer, as it is known
    Jsonl,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EmitName {
    /// The goto program
    Goto,
    /// The integer transition system that the shape analysis leaves
    Its,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ColourName {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Runs a command.
pub fn run(arguments: Arguments) -> ExitCode {
    match arguments.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Explain { code } => explain(code.as_deref()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "wane", &mut script);
            write_out(&String::from_utf8_lossy(&script));
            ExitCode::SUCCESS
        }
        Command::Lsp { stdio: _ } => lsp::run(),
        Command::Shapes { shapes } => print_shapes(&shapes),
    }
}

fn explain(code: Option<&str>) -> ExitCode {
    let Some(code) = code else {
        write_out(&codes::list());
        return ExitCode::SUCCESS;
    };
    match codes::find(code) {
        Some(page) => {
            write_out(page.text);
            ExitCode::SUCCESS
        }
        None => bad_call(&format!("there is no code `{code}`; `wane explain` lists them all")),
    }
}

fn print_shapes(files: &[PathBuf]) -> ExitCode {
    match library(files) {
        Ok(library) => {
            write_out(&report::shapes::render(&library));
            ExitCode::SUCCESS
        }
        Err(message) => bad_call(&message),
    }
}

/// The built-in shapes and those of some files.
fn library(files: &[PathBuf]) -> Result<ShapeLibrary, String> {
    let mut library =
        ShapeLibrary::builtin().map_err(|error| format!("a built-in shape: {}", error.message))?;
    for file in files {
        let text = read_text(file)?;
        let n_known = library.len();
        let added = library.add_file(&text).and_then(|()| {
            let n_shapes = library.len();
            (n_known..n_shapes).try_for_each(|it| claims::check(&library, ShapeId::at(it)))
        });
        added.map_err(|error| texts::shape_error(file, &text, &error))?;
    }
    Ok(library)
}

impl Arguments {
    /// Reads the command line. `wane FILE` is `wane check FILE`, and flags that compilers
    /// spell with one dash may be spelt so.
    pub fn of_process() -> Self {
        let mut words: Vec<OsString> = std::env::args_os().collect();
        let is_command = |word: &OsString| {
            let of_commands = Self::command();
            let mut names = of_commands.get_subcommands().map(clap::Command::get_name);
            let is_general =
                ["help", "--help", "-h", "--version", "-V"].iter().any(|it| word == it);
            is_general || names.any(|name| word == name)
        };
        if words.get(1).is_some_and(|word| !is_command(word)) {
            words.insert(1, "check".into());
        }
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        for word in &mut words[..end] {
            if let Some(text) = word.to_str()
                && (text == "-include" || text.starts_with("-std="))
            {
                *word = format!("-{text}").into();
            }
        }
        Self::parse_from(words)
    }
}

/// A specification, if its text is one.
fn specification(path: &Path) -> Result<Question, String> {
    let (file, text) = (path.display().to_string(), read_text(path)?);
    match Monitor::read(&file, &text) {
        Ok(_) => Ok(Question::Specification { file, text }),
        Err(error) => {
            let (line, column) = line_and_column(&text, error.start);
            Err(format!("{file}:{line}:{column}: {}", error.message))
        }
    }
}

/// Whether a text is a formula of linear temporal logic; if not, why.
fn is_formula(text: &str) -> Result<(), String> {
    violations(text).map(|_| ()).map_err(|error| pointed(text, &error))
}

/// What is wrong with a formula, with the formula and a mark where it is.
fn pointed(text: &str, error: &FormulaError) -> String {
    let before = text[..error.start.min(text.len())].chars().count();
    let marks = "^".repeat(error.length.min(text.len()).max(1));
    format!("{}\n  {text}\n  {}{marks}", error.message, " ".repeat(before))
}

impl Check {
    fn questions(&self) -> Result<Vec<Question>, String> {
        if !self.spec.is_empty() {
            return self.spec.iter().map(|file| specification(file)).collect();
        }
        let alone = if let Some(formula) = &self.ctl {
            if let Err(error) = branching(formula) {
                return Err(pointed(formula, &error));
            }
            Question::Ctl(formula.clone())
        } else if let Some(formula) = &self.ltl {
            is_formula(formula)?;
            Question::Ltl(formula.clone())
        } else if let Some(function) = &self.thread {
            Question::ThreadTermination(function.clone())
        } else {
            let mut questions: Vec<Question> = Vec::new();
            for question in &self.questions {
                if !questions.contains(question) {
                    questions.push(question.clone());
                }
            }
            return Ok(questions);
        };
        Ok(vec![alone])
    }

    fn options(&self) -> Options {
        Options {
            data_model: match self.data_model {
                DataModelName::Lp64 => DataModel::Lp64,
                DataModelName::Ilp32 => DataModel::Ilp32,
            },
            int_model: match self.int_model {
                IntModelName::C => IntModel::C,
                IntModelName::Math => IntModel::Math,
                IntModelName::Machine => IntModel::Machine,
            },
            input: if self.endless_input { Input::Endless } else { Input::Ends },
            malloc: if self.malloc_may_fail { MallocModel::MayFail } else { MallocModel::Succeeds },
            entry: self.entry.clone(),
            atomics: match self.int_model {
                IntModelName::Math => Atomics::Exact,
                IntModelName::C | IntModelName::Machine => Atomics::Wrapping,
            },
            definedness: if self.strict { Definedness::Shown } else { Definedness::Assumed },
            ..Options::default()
        }
    }

    /// What the preprocessor is told of all files.
    fn preprocessor_flags(&self) -> Vec<String> {
        let folders = self.folders.iter().map(|it| format!("-I{it}"));
        let defined = self.defined.iter().map(|it| format!("-D{it}"));
        let undefined = self.undefined.iter().map(|it| format!("-U{it}"));
        let included = self.included.iter().flat_map(|it| ["-include".to_owned(), it.clone()]);
        let standard = self.standard.iter().map(|it| format!("-std={it}"));
        let own = folders.chain(defined).chain(undefined).chain(included).chain(standard);
        // Formulas and specifications may name macros of the program.
        let has_formula = self.ltl.is_some() || self.ctl.is_some() || !self.spec.is_empty();
        let with_macros = has_formula.then(|| WITH_MACROS.to_owned());
        own.chain(self.compiler_flags.iter().cloned()).chain(with_macros).collect()
    }

    fn moment(&self) -> witness::Moment {
        if self.deterministic { witness::Moment::Epoch } else { witness::Moment::Now }
    }

    fn format(&self) -> Format {
        match self.format {
            FormatName::Human => Format::Human,
            FormatName::Json => Format::Json,
            FormatName::Sarif => Format::Sarif,
            FormatName::Html => Format::Html,
            FormatName::Jsonl => Format::JsonLines,
        }
    }

    fn colour(&self, is_terminal: impl FnOnce() -> bool) -> Colour {
        let wanted = match self.color {
            ColourName::Always => true,
            ColourName::Never => false,
            ColourName::Auto => {
                is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        if wanted { Colour::On } else { Colour::Off }
    }

    fn colour_of_errors(&self) -> Colour {
        self.colour(|| io::stderr().is_terminal())
    }

    fn colour_of_answers(&self) -> Colour {
        self.colour(|| self.output.is_none() && io::stdout().is_terminal())
    }
}

fn question(name: &str) -> Result<Question, String> {
    Question::from_name(name)
        .ok_or_else(|| "expected termination, memsafety, memcleanup or reach".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    if number > 0.0 && number <= 1e9 {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err("expected a number of seconds above 0".to_owned())
    }
}

/// Writes to the standard output; a reader that went away is no error.
fn write_out(text: &str) {
    let _ = io::stdout().write_all(text.as_bytes());
}

fn write_error(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

fn bad_call(message: &str) -> ExitCode {
    write_error(&format!("error: {message}\n"));
    ExitCode::from(2)
}
