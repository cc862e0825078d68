//! The command line: all output and time of wane is here. Flags and commands.
//!
//! To add a flag: a field of `Check`, or of `settings::Settings` where a project may set it once,
//! with its help; its effect in `check.rs` or `request.rs`, and a test in `tests/command`.

mod audience;
mod changed;
mod check;
mod completions;
mod depfile;
mod diff;
mod emit;
mod interrupt;
mod lsp;
mod merge;
mod output;
mod plan;
mod pool;
mod progress;
mod questions;
mod request;
mod settings;
mod shard;
mod store;
mod svcomp;
mod test_case;
mod texts;
mod witness;
mod words;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use heap::claims;
use heap::shape::{ShapeId, ShapeLibrary};
use project::read_text;
use question::Question;
use report::{self, codes};
use settings::{Configuration, FailOn, Reporting, Settings};
use shard::Shard;
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Proves that C programs stop, and finds out why when they do not.
///
/// `wane FILE` checks a file, as `wane check FILE` does: see `wane check --help` for the options.
#[derive(Debug, Parser)]
#[command(
    name = "wane",
    version,
    max_term_width = 100,
    override_usage = "wane [OPTIONS] FILE...\n       wane COMMAND ..."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check properties of programs
    Check(Box<Check>),
    /// Put the reports of several machines together, as if one had done all the work
    Merge(Box<Merge>),
    /// Say what has changed from one report to a later one
    Diff(Diff),
    /// Print a build file that does the work in parts, and again only what is out of date
    Plan(Plan),
    /// Say what a code means, or list all codes
    Explain {
        /// A code, such as W030
        #[arg(value_parser = CodeParser)]
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
    /// Print the manual page of wane, or of one of its commands
    Man {
        /// The command
        command: Option<String>,
    },
    /// Print the settings that hold here: those of the nearest wane.toml
    Config {
        /// Take the settings from this file
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Print the shape library as formulas
    Shapes {
        /// More shapes beside the built-in library
        #[arg(long = "shape", value_name = "FILE")]
        shapes: Vec<PathBuf>,
    },
}

/// What is checked, how, and where the answers go.
#[derive(Args, Debug)]
#[command(after_help = "Exit status: 0 everything is proved, 1 something is refuted, \
    3 something is unknown (--fail-on says which of these count), 2 a bad call or a file that \
    cannot be read, 130 the work was interrupted. A wane.toml here or above sets the same by name; `wane config` shows what \
    holds.")]
pub(crate) struct Check {
    /// C files (.c, or .i when preprocessed), - for C on the standard input, goto programs
    /// (.goto), transition systems (.smt2, .t2), folders of C files, compilation databases
    /// (compile_commands.json)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    settings: Settings,
    /// Take the settings from this file, not from the nearest wane.toml
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    config: Option<PathBuf>,
    /// Do the I-th of N parts of the work; `wane merge` puts their JSON reports together
    #[arg(long, value_name = "I/N", conflicts_with_all = ["emit", "write_baseline", "witness", "test_case"],
          help_heading = "Over time")]
    shard: Option<Shard>,
    /// The part is one of a plan, with its keys in this folder: files are not divided, and
    /// `wane merge` takes parts whose files have not changed since
    #[arg(long, value_name = "DIR", requires = "shard", help_heading = "Over time")]
    plan: Option<PathBuf>,
    /// Check only functions that reach code of files that differ from where this branch left that
    /// revision of git, or include such files
    #[arg(long, value_name = "REV", conflicts_with = "changed_files", help_heading = "Over time")]
    changed_since: Option<String>,
    /// The same for the files that a file lists, a line each
    #[arg(long, value_name = "FILE", help_heading = "Over time")]
    changed_files: Option<PathBuf>,
    /// Write all files that the answers depend on to this file, as make and ninja read it
    #[arg(long, value_name = "FILE", requires = "output", help_heading = "Over time")]
    depfile: Option<PathBuf>,
    /// Check this specification of liveness and safety; may be given several times
    #[arg(long, value_name = "FILE", conflicts_with_all = ["property", "ctl", "ltl", "thread"],
          help_heading = "Questions")]
    spec: Vec<PathBuf>,
    /// Check this formula of computation tree logic
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["property", "ltl", "thread"],
          help_heading = "Questions")]
    ctl: Option<String>,
    /// Check this formula of linear temporal logic
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["property", "thread"],
          help_heading = "Questions")]
    ltl: Option<String>,
    /// Check that this function ends when it runs as one thread among others
    #[arg(long, value_name = "FUNCTION", conflicts_with_all = ["property", "entry"],
          help_heading = "Questions")]
    thread: Option<String>,
    /// Answer the property file of a competition in its words: TRUE, FALSE(…) or UNKNOWN
    #[arg(long, value_name = "FILE", help_heading = "Questions",
          conflicts_with_all = ["property", "spec", "ctl", "ltl", "thread", "entry", "all_functions",
                                "format", "shard", "emit"])]
    svcomp: Option<PathBuf>,
    /// Start at this function (or FILE:FUNCTION), with arbitrary arguments, instead of at main
    #[arg(long, alias = "function", value_name = "FUNCTION", help_heading = "Questions")]
    entry: Option<String>,
    /// Take .c files as they are, without running the preprocessor
    #[arg(long, help_heading = "Meaning of programs")]
    no_preprocess: bool,
    /// Print what the files become on the way to an answer, and check nothing
    #[arg(long, value_name = "WHAT", help_heading = "Output",
          conflicts_with_all = ["format", "property", "spec", "ctl", "ltl", "thread", "baseline",
                                "write_baseline", "test_case", "witness", "cache", "shard"])]
    emit: Option<EmitName>,
    /// Say of each answer what it took: time, steps, symbolic states, memory
    #[arg(long, help_heading = "Output")]
    statistics: bool,
    #[command(flatten)]
    telling: Telling,
}

/// Where answers go, beside what a project may set.
#[derive(Args, Debug)]
pub(crate) struct Telling {
    /// Write the answers to this file (- is the standard output)
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write all answers that are no proofs to this file, to accept them later; what it lists already
    /// stays unless it is answered otherwise now
    #[arg(long, value_name = "FILE", conflicts_with = "baseline", help_heading = "Output")]
    write_baseline: Option<PathBuf>,
    /// Write a C file for each refuted answer into this folder, to compile the program with
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    test_case: Option<PathBuf>,
    /// Write witnesses of the answers, in the YAML format of the verification competition
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    witness: Option<PathBuf>,
    /// Write the same witnesses for the same input: their time is that of the epoch
    #[arg(long, requires = "witness", help_heading = "Output")]
    deterministic: bool,
    /// Write only what is not proved
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    quiet: bool,
    /// Write what is accepted, too
    #[arg(short, long, help_heading = "Output")]
    verbose: bool,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    color: ColourName,
}

/// Reports that are put together.
#[derive(Args, Debug)]
pub(crate) struct Merge {
    /// The JSON reports of all parts of a run, in any order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    report: Reporting,
    #[command(flatten)]
    telling: Telling,
    /// Take the settings from this file, not from the nearest wane.toml
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    config: Option<PathBuf>,
}

/// Two reports.
#[derive(Args, Debug)]
pub(crate) struct Diff {
    /// The earlier JSON report
    old: PathBuf,
    /// The later one
    new: PathBuf,
    /// Which answers make the call fail, if they are new [default: unknown]
    #[arg(long, value_name = "ANSWER")]
    fail_on: Option<FailOn>,
    /// How to write what has changed
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: DiffFormatName,
}

/// Work in parts.
#[derive(Args, Debug)]
pub(crate) struct Plan {
    /// Print a build file for ninja
    #[arg(long, required_unless_present = "keys", conflicts_with = "keys")]
    ninja: bool,
    /// Write into the folder what each part rests on, which is what the build file does first
    #[arg(long)]
    keys: bool,
    /// How many parts
    #[arg(long, value_name = "N", default_value = "8",
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    shards: u16,
    /// Where the reports of the parts, and `report.json`, go
    #[arg(long, value_name = "DIR", default_value = "wane-report")]
    folder: PathBuf,
    /// Files, and flags of `wane check`
    #[arg(last = true, required = true, value_name = "FILE")]
    arguments: Vec<String>,
}

/// How differences are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DiffFormatName {
    /// For a person at a terminal
    Human,
    /// JSON
    Json,
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
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Plan(arguments) => plan::run(&arguments),
        Command::Explain { code } => explain(code.as_deref()),
        Command::Completions { shell } => {
            write_out(&completions::script(shell));
            ExitCode::SUCCESS
        }
        Command::Lsp { stdio: _ } => lsp::run(),
        Command::Man { command } => print_manual(command.as_deref()),
        Command::Config { config } => print_settings(config.as_deref()),
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
        None if Question::from_name(code).is_some() => bad_call(&format!(
            "`{code}` is a question; codes say what answers to it mean: `wane explain` lists them all"
        )),
        None => bad_call(&format!("there is no code `{code}`; `wane explain` lists them all")),
    }
}

fn print_manual(command: Option<&str>) -> ExitCode {
    let mut all = Arguments::command();
    all.build();
    let page = match command {
        None => all,
        Some(name) => match all.find_subcommand(name) {
            Some(found) => found.clone(),
            None => return bad_call(&format!("there is no command `{name}`")),
        },
    };
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = clap_mangen::Man::new(page).render(&mut text);
    write_out(&String::from_utf8_lossy(&text));
    ExitCode::SUCCESS
}

/// Reads anything, and tells shells and readers of help of all codes.
#[derive(Clone)]
struct CodeParser;

impl TypedValueParser for CodeParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(codes::all().iter().map(|page| PossibleValue::new(page.code))))
    }
}

fn print_settings(file: Option<&Path>) -> ExitCode {
    match Configuration::read(&Settings::default(), file) {
        Ok(configuration) => {
            write_out(&configuration.text());
            ExitCode::SUCCESS
        }
        Err(message) => bad_call(&message),
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

impl Check {
    /// The part of the work that is done, if it is not all.
    fn shard(&self) -> Option<Shard> {
        self.shard.map(|it| if self.plan.is_some() { it.of_files() } else { it })
    }
}

impl Arguments {
    /// Reads the command line.
    ///
    /// # Errors
    /// A word is no command and no file; that was said. What else is wrong with flags ends the
    /// process.
    pub fn of_process() -> Result<Self, ExitCode> {
        let words = words::read(std::env::args_os().collect());
        words.map(Self::parse_from).map_err(|message| bad_call(&message))
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
