//! What may be set once for a project: each setting is a flag and a key of `wane.toml`.
//!
//! * [`errors`]: what is wrong with it, in words.
//! * [`file`](mod@file): the nearest `wane.toml`, with its parts for some paths.
//! * [`paths`]: patterns of files.
//!
//! A flag counts more than the file, a part of the file for some paths more than the rest of it.

mod errors;
mod file;
mod paths;

use clap::{Args, ValueEnum};
pub(super) use file::Configuration;
use question::Question;
use report::Format;
use serde::{Deserialize, Serialize};
use std::num::{NonZeroU16, NonZeroU64};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time for a question, if nothing else is said.
pub(super) const DEFAULT_TIME: Duration = Duration::from_secs(60);
/// Memory for a run, in MiB, if nothing else is said.
pub(super) const DEFAULT_MEMORY: NonZeroU64 = NonZeroU64::new(2048).unwrap();

/// What makes a call fail, if nothing else is said.
pub(super) const DEFAULT_FAIL_ON: FailOn = FailOn::Unknown;

/// Settings that hold for a whole run.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct Settings {
    /// Of folders and compilation databases, take only files that this pattern names
    #[arg(long, value_name = "PATTERN", help_heading = "Files")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) include: Vec<String>,
    /// Of folders and compilation databases, leave out files that this pattern names
    #[arg(long, value_name = "PATTERN", help_heading = "Files")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) exclude: Vec<String>,
    /// Take files that are named by themselves as those of a folder, and leave such files out, too:
    /// for tools that name the files of a commit
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true",
          hide_possible_values = true, help_heading = "Files")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) force_exclude: Option<bool>,
    /// Start at each function in turn. Where there is no main, that is done without this for
    /// those that others can call
    #[arg(long, conflicts_with = "entry", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", hide_possible_values = true, help_heading = "Questions")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) all_functions: Option<bool>,
    /// More inductive shapes beside the built-in library
    #[arg(long = "shape", value_name = "FILE", help_heading = "Meaning of programs")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) shapes: Vec<PathBuf>,
    /// A C file with bodies of functions that the program calls and does not define: that they do
    /// what it says is taken for granted
    #[arg(long = "model", value_name = "FILE", help_heading = "Meaning of programs")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) models: Vec<PathBuf>,
    /// Widths of C types [default: lp64]
    #[arg(long, value_name = "MODEL", help_heading = "Meaning of programs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) data_model: Option<DataModelName>,
    /// Memory for the whole run, in MiB [default: 2048]
    #[arg(long, value_name = "MIB", value_parser = count, help_heading = "Limits")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) memory: Option<NonZeroU64>,
    /// Programs and functions that are checked at the same time [default: one a processor]
    #[arg(short, long, value_name = "N", value_parser = threads, help_heading = "Limits")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) jobs: Option<NonZeroU16>,
    /// Keep answers in this folder, and take those from it that nothing has changed
    #[arg(long, value_name = "DIR", conflicts_with = "emit", help_heading = "Over time")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cache: Option<PathBuf>,
    /// How answers are told.
    #[command(flatten)]
    #[serde(skip_serializing_if = "is_default")]
    pub(super) report: Reporting,
    /// What is asked, and how hard it is tried.
    #[command(flatten)]
    #[serde(skip_serializing_if = "is_default")]
    pub(super) check: Checking,
    /// What the preprocessor is told.
    #[command(flatten)]
    #[serde(skip_serializing_if = "is_default")]
    pub(super) preprocessor: Preprocessor,
    /// What holds for some files only, the later the weightier.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) overrides: Vec<Override>,
}

/// Settings for some files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Override {
    /// Patterns of the files.
    pub(super) paths: Vec<String>,
    /// What holds for them.
    pub(super) check: Checking,
}

/// How answers are told.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct Reporting {
    /// Which answers make the call fail [default: unknown]
    #[arg(long, value_name = "ANSWER", help_heading = "Output")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fail_on: Option<FailOn>,
    /// How to write the answers [default: human]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) format: Option<FormatName>,
    /// Accept the answers that are listed in this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) baseline: Option<PathBuf>,
}

/// Settings that may differ between the files of a project.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct Checking {
    /// What to check [default: termination,memsafety]
    #[arg(short, long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Questions")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) property: Vec<PropertyName>,
    /// What integers are [default: c]
    #[arg(long, value_name = "MODEL", help_heading = "Meaning of programs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) int_model: Option<IntModelName>,
    /// malloc may return null
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true",
          hide_possible_values = true, help_heading = "Meaning of programs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) malloc_may_fail: Option<bool>,
    /// What the program reads need not end
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true",
          hide_possible_values = true, help_heading = "Meaning of programs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) endless_input: Option<bool>,
    /// Prove that all runs end, and not those alone that C defines: take no access, divisor or
    /// free for granted
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true",
          hide_possible_values = true, help_heading = "Meaning of programs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) strict: Option<bool>,
    /// Seconds for each question about a file [default: 60]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Limits")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) timeout: Option<Seconds>,
    /// Steps of work on each question about a file, which no clock or load changes
    /// [default: 20000000]
    #[arg(long, value_name = "N", value_parser = count, help_heading = "Limits")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) steps: Option<NonZeroU64>,
}

/// What the preprocessor is told of all files.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct Preprocessor {
    /// Look for headers here, too
    #[arg(short = 'I', value_name = "FOLDER", help_heading = "Preprocessor")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) folders: Vec<PathBuf>,
    /// Define this macro
    #[arg(short = 'D', value_name = "NAME[=TEXT]", help_heading = "Preprocessor")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) define: Vec<String>,
    /// Define no such macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Preprocessor")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) undefine: Vec<String>,
    /// Include this file before all others (also -include FILE)
    #[arg(
        id = "include_file",
        long = "include-file",
        value_name = "FILE",
        help_heading = "Preprocessor"
    )]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) include: Vec<PathBuf>,
    /// The edition of C for the preprocessor, such as c99 (also -std=c99)
    #[arg(long = "std", value_name = "NAME", help_heading = "Preprocessor")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) std: Option<String>,
    /// More flags for the C compiler that preprocesses; the environment's CC names it
    #[arg(last = true, value_name = "CC-FLAGS", help_heading = "Preprocessor")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) flags: Vec<String>,
}

/// Questions that need no more than a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PropertyName {
    /// Every run ends
    Termination,
    /// No run makes an invalid access or loses memory
    Memsafety,
    /// Every run frees all its memory
    Memcleanup,
    /// No run reaches an error or fails an assertion
    Reach,
}

/// Widths of C types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum DataModelName {
    /// 64-bit long and addresses
    Lp64,
    /// 32-bit long and addresses
    Ilp32,
}

/// What integers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum IntModelName {
    /// Types have their widths; unsigned integers wrap, signed ones do not overflow
    C,
    /// Signed integers are unbounded, unsigned ones wrap
    Math,
    /// All integers wrap at their width
    Machine,
}

/// Which answers make a call fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FailOn {
    /// What is refuted: what is unknown is told, and ends with 0
    Refuted,
    /// What is refuted or unknown
    Unknown,
    /// None: all answers are told, and end with 0
    Never,
}

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FormatName {
    /// For a person at a terminal
    Human,
    /// Stable JSON, see docs/output.schema.json
    Json,
    /// SARIF 2.1.0, for editors and code hosts; results are what is to be mended
    Sarif,
    /// A page for a browser
    Html,
    /// A line of JSON for each answer, as it is known
    Jsonl,
    /// A line for each answer that is no proof, as compilers write errors and warnings
    Gcc,
    /// Annotations for workflows of GitHub
    Github,
    /// The list of issues that GitLab's report on code quality reads
    Codeclimate,
    /// JUnit's XML: a test for each question; what is unknown is skipped
    Junit,
    /// Checkstyle's XML
    Checkstyle,
}

/// A positive number of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub(super) struct Seconds(Duration);

impl Seconds {
    /// Time for a question in an editor, if nothing else is said.
    pub(super) const IN_EDITORS: Self = Self(Duration::from_secs(10));

    /// The time.
    pub(super) fn duration(self) -> Duration {
        self.0
    }
}

impl TryFrom<f64> for Seconds {
    type Error = &'static str;

    fn try_from(number: f64) -> Result<Self, Self::Error> {
        if number > 0.0 && number <= 1e9 {
            Ok(Self(Duration::from_secs_f64(number)))
        } else {
            Err("expected a number of seconds above 0")
        }
    }
}

impl From<Seconds> for f64 {
    fn from(seconds: Seconds) -> Self {
        seconds.0.as_secs_f64()
    }
}

/// A number above 0; `20_000` is one, as in the file.
fn count(text: &str) -> Result<NonZeroU64, String> {
    text.replace('_', "").parse().map_err(|_| format!("expected {}", errors::COUNT))
}

/// A number of threads.
fn threads(text: &str) -> Result<NonZeroU16, String> {
    text.replace('_', "").parse().map_err(|_| format!("expected {}", errors::SMALL_COUNT))
}

fn seconds(text: &str) -> Result<Seconds, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Seconds::try_from(number).map_err(str::to_owned)
}

impl PropertyName {
    /// What is asked where nothing is said.
    pub(super) const OF_MOST_INTEREST: [Self; 2] = [Self::Termination, Self::Memsafety];

    /// The question of this name.
    pub(super) fn question(self) -> Question {
        match self {
            Self::Termination => Question::Termination,
            Self::Memsafety => Question::MemorySafety,
            Self::Memcleanup => Question::MemoryCleanup,
            Self::Reach => Question::Reach,
        }
    }
}

impl FormatName {
    /// The format of this name.
    pub(super) fn format(self) -> Format {
        match self {
            Self::Human => Format::Human,
            Self::Json => Format::Json,
            Self::Sarif => Format::Sarif,
            Self::Html => Format::Html,
            Self::Jsonl => Format::JsonLines,
            Self::Gcc => Format::Gcc,
            Self::Github => Format::Github,
            Self::Codeclimate => Format::CodeClimate,
            Self::Junit => Format::Junit,
            Self::Checkstyle => Format::Checkstyle,
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Those of `first`, or else those of `second`.
fn either<T>(first: Vec<T>, second: Vec<T>) -> Vec<T> {
    if first.is_empty() { second } else { first }
}

/// All of `second`, and then all of `first`: who comes later counts more.
fn both<T>(first: Vec<T>, mut second: Vec<T>) -> Vec<T> {
    second.extend(first);
    second
}

impl Settings {
    /// These, and where they leave something open, others.
    pub(super) fn over(self, other: Self) -> Self {
        Self {
            include: either(self.include, other.include),
            exclude: both(self.exclude, other.exclude),
            force_exclude: self.force_exclude.or(other.force_exclude),
            all_functions: self.all_functions.or(other.all_functions),
            shapes: both(self.shapes, other.shapes),
            models: both(self.models, other.models),
            data_model: self.data_model.or(other.data_model),
            memory: self.memory.or(other.memory),
            jobs: self.jobs.or(other.jobs),
            cache: self.cache.or(other.cache),
            report: self.report.over(other.report),
            check: self.check.over(other.check),
            preprocessor: self.preprocessor.over(other.preprocessor),
            overrides: either(self.overrides, other.overrides),
        }
    }

    /// The same, and what holds where nothing is set.
    fn with_defaults(self) -> Self {
        let check = Checking {
            property: PropertyName::OF_MOST_INTEREST.to_vec(),
            int_model: Some(IntModelName::C),
            malloc_may_fail: Some(false),
            endless_input: Some(false),
            strict: Some(false),
            timeout: Some(Seconds(DEFAULT_TIME)),
            steps: NonZeroU64::new(project::STEPS),
        };
        self.over(Self {
            force_exclude: Some(false),
            all_functions: Some(false),
            data_model: Some(DataModelName::Lp64),
            memory: Some(DEFAULT_MEMORY),
            report: Reporting {
                fail_on: Some(DEFAULT_FAIL_ON),
                format: Some(FormatName::Human),
                baseline: None,
            },
            check,
            ..Self::default()
        })
    }

    /// The same with paths that are relative to a folder.
    fn in_folder(self, folder: &Path) -> Self {
        let placed = |path: PathBuf| folder.join(path);
        Self {
            shapes: self.shapes.into_iter().map(placed).collect(),
            models: self.models.into_iter().map(placed).collect(),
            report: Reporting { baseline: self.report.baseline.map(placed), ..self.report },
            cache: self.cache.map(placed),
            preprocessor: Preprocessor {
                folders: self.preprocessor.folders.into_iter().map(placed).collect(),
                include: self.preprocessor.include.into_iter().map(placed).collect(),
                ..self.preprocessor
            },
            ..self
        }
    }
}

impl Reporting {
    /// These, and where they leave something open, others.
    fn over(self, other: Self) -> Self {
        Self {
            fail_on: self.fail_on.or(other.fail_on),
            format: self.format.or(other.format),
            baseline: self.baseline.or(other.baseline),
        }
    }
}

impl Checking {
    /// These, and where they leave something open, others.
    pub(super) fn over(self, other: Self) -> Self {
        Self {
            property: either(self.property, other.property),
            int_model: self.int_model.or(other.int_model),
            malloc_may_fail: self.malloc_may_fail.or(other.malloc_may_fail),
            endless_input: self.endless_input.or(other.endless_input),
            strict: self.strict.or(other.strict),
            timeout: self.timeout.or(other.timeout),
            steps: self.steps.or(other.steps),
        }
    }
}

impl Preprocessor {
    fn over(self, other: Self) -> Self {
        Self {
            folders: both(self.folders, other.folders),
            define: both(self.define, other.define),
            undefine: both(self.undefine, other.undefine),
            include: both(self.include, other.include),
            std: self.std.or(other.std),
            flags: both(self.flags, other.flags),
        }
    }

    /// All of it, as words for a C compiler.
    pub(super) fn words(&self) -> Vec<String> {
        let folders = self.folders.iter().map(|it| format!("-I{}", it.display()));
        let defined = self.define.iter().map(|it| format!("-D{it}"));
        let undefined = self.undefine.iter().map(|it| format!("-U{it}"));
        let included =
            self.include.iter().flat_map(|it| ["-include".to_owned(), it.display().to_string()]);
        let standard = self.std.iter().map(|it| format!("-std={it}"));
        let own = folders.chain(defined).chain(undefined).chain(included).chain(standard);
        own.chain(self.flags.iter().cloned()).collect()
    }
}
