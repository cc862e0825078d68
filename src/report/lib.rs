//! Answers for people and machines: one [`Report`], a renderer a format.
//!
//! * [`codes`]: what the codes of reasons mean.
//! * [`html`], [`human`], [`json`], [`sarif`]: the formats; [`formats`]: those of compilers,
//!   code hosts and build servers.
//! * [`harness`]: a counterexample as a C file to compile the program with.
//! * [`its`]: transition systems in the style of the termination competition.
//! * [`shapes`]: the shape library as formulas.
//! * [`story`]: an argument in terms of the source program; [`endless`]: a run that
//!   never ends; [`failing`]: a run that does what it must not.
//! * [`assumed`]: what a proof takes for granted of places.
//! * [`partial`]: what one of several machines has found; [`difference`]: what has changed.
//! * [`accepted`], [`comments`]: answers that baselines and comments accept.
//! * [`c_terms`]: what a proof says about loops, as C expressions; [`witness`]: witnesses
//!   in the format of the software verification competition.
//! * [`run`]: such runs as data; [`path`]: what happens on their way; [`drawing`]: what
//!   memory looks like there.
//!
//! To add a format: one file here, or in `formats` if it is a list of remarks at places, with
//! a function from [`Report`] to text, one variant of [`Format`] and its line in [`render`];
//! `tests/command/formats.rs` then shows it on the same report as all others.

pub mod accepted;
mod arguments;
pub mod assumed;
pub mod c_terms;
mod calls;
mod choices;
pub mod codes;
pub mod comments;
mod descent;
pub mod difference;
pub mod drawing;
pub mod endless;
pub mod fed;
pub mod failing;
pub mod formats;
pub mod caller;
pub mod harness;
pub mod html;
pub mod human;
mod inputs;
mod library;
pub mod its;
pub mod json;
mod markup;
mod names;
pub mod partial;
mod parts;
pub mod path;
mod quantities;
pub mod repeated;
pub mod run;
pub mod sarif;
mod sentence;
pub mod shapes;
pub mod precondition;
pub mod story;
mod table;
mod unset;
pub mod witness;
mod yaml;

use base::source::{SourceMap, Span};
use formats::{checkstyle, codeclimate, gcc, github, junit};
use ir::{Program, cutpoint};
use question::Question;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use verdict::Reason;

pub use names::Name;
pub use run::{EndlessRun, FailingRun, Input};

/// Everything that one call of the tool found out.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The tool's name.
    pub tool: &'static str,
    /// The tool's version.
    pub version: &'static str,
    /// The answers, by file and property, in the order in which they were asked.
    #[serde(rename = "results")]
    pub findings: Vec<Finding>,
    /// The files that could not be read, and why.
    #[serde(rename = "errors")]
    pub problems: Vec<Problem>,
    /// What the user should know beside the answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Problem>,
    /// The folder that names are relative to where a format wants that, or nothing.
    #[serde(skip)]
    pub root: String,
    /// From where files are named when answers are recognized.
    #[serde(skip)]
    pub home: accepted::Home,
    /// Whether the user wanted no more before all was found out.
    #[serde(skip)]
    pub is_interrupted: bool,
}

/// The answer to one question about one file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The file, as the user named it.
    pub file: String,
    /// The function where execution starts.
    pub entry: String,
    /// The name of the property.
    pub property: String,
    /// The formula or file that goes with the property, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// The answer.
    #[serde(rename = "verdict")]
    pub answer: Answer,
    /// For a memory error, which part of memory safety it violates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subproperty: Option<String>,
    /// The answer in one sentence.
    pub reason: String,
    /// What the proof requires of the calls of the entry function: one of these. Where it
    /// leaves out what the function is for (`scope`), there is no answer for other calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub precondition: Vec<String>,
    /// For a function by itself: `all`, `general`, `bounded` or `degenerate`
    /// ([`Scope`](evidence::scope::Scope)). Only the first two are proofs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "names::scope")]
    pub scope: Option<Name>,
    /// Why the property is not proved, the weightiest first.
    #[serde(rename = "reasons")]
    pub causes: Vec<Cause>,
    /// What integers were taken to be: `c`, `math` or `machine`.
    #[serde(deserialize_with = "names::int_model")]
    pub int_model: Name,
    /// The widths of types: `lp64` or `ilp32`.
    #[serde(deserialize_with = "names::data_model")]
    pub data_model: Name,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
    /// Where a proof takes for granted that what happens is defined, and memory safety was not
    /// proved ([`assumed`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumes: Vec<Cause>,
    /// What a proof or a refutation rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// What it is recognized by when lines have moved, if it is no proof
    /// ([`accepted::recognize`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Why the user accepts it, if it is no proof and the user does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<accepted::Accepted>,
    /// For what is refuted, a C file that shows it ([`harness`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_case: Option<String>,
    /// What the user should know of the question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Problem>,
    /// What the answer took, if somebody wants to know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
}

/// What an answer took. Steps and states are the same on each machine; time and memory are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Milliseconds of the processor.
    pub milliseconds: u64,
    /// Steps of work.
    pub steps: u64,
    /// Symbolic states that were looked at.
    pub states: u64,
    /// The most memory, in KiB, that the whole process had in use by then, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_kib: Option<u64>,
}

/// The three answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Answer {
    /// The property holds.
    #[serde(rename = "true")]
    Proved,
    /// The property is violated.
    #[serde(rename = "false")]
    Refuted,
    /// Neither was shown.
    #[serde(rename = "unknown")]
    Unknown,
}

/// One reason for an answer that is no proof, or one place of which a proof takes something for
/// granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// Its stable code.
    #[serde(deserialize_with = "names::code")]
    pub code: Name,
    /// What it is, as a clause of a sentence.
    pub message: String,
    /// Where it is.
    #[serde(flatten)]
    pub location: Option<Location>,
}

/// What a proof or a refutation rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Why each loop and recursion ends, in the order of the source.
    pub loops: Vec<LoopStory>,
    /// A run that never ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endless_run: Option<EndlessRun>,
    /// A run that does what it must not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_run: Option<FailingRun>,
    /// What the other threads keep to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<AgreementStory>,
    /// What a proof says about loops that can be said in C.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<c_terms::Claim>,
    /// What a proof says about memory and numbers at each loop, as formulas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<LoopInvariant>,
}

/// What the other threads keep to, so that one ends beside them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreementStory {
    /// The agreement: variables with a prime are those after a step of another thread.
    pub agreement: String,
    /// How it was strengthened and weakened.
    pub steps: Vec<String>,
}

/// Why one loop or recursion ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LoopStory {
    /// Where it is.
    #[serde(flatten)]
    pub location: Location,
    /// What is repeated.
    pub kind: Repetition,
    /// The function it is in.
    pub function: String,
    /// The calls that lead there from the entry, or from the recursive function
    /// around it, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub called_from: Vec<Location>,
    /// What decreases: an expression, or a tuple in lexicographic order.
    pub measure: String,
    /// The same as a sentence.
    pub explanation: String,
    /// The ranking relations, in words: of a state here and any later one here, one of them
    /// holds.
    pub relations: Vec<String>,
}

/// What may be whenever the head of a loop is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopInvariant {
    /// The loop.
    pub location: Location,
    /// The function it is in.
    pub function: String,
    /// The abstract states, one of which describes memory and numbers.
    pub states: Vec<String>,
}

/// How a program repeats itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Repetition {
    /// A cycle of control flow in a function.
    Loop,
    /// A function that calls itself, perhaps through others.
    Recursion,
}

/// A file that could not be read, or a place in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// What is wrong, as a clause of a sentence.
    pub message: String,
    /// Where it is.
    #[serde(flatten)]
    pub location: Location,
}

/// A place in a file, or the file as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Location {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column, from 1, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// How many characters it covers.
    #[serde(default)]
    pub length: u32,
}

/// The ways to write a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a person at a terminal.
    Human,
    /// The JSON of `docs/output.schema.json`.
    Json,
    /// SARIF 2.1.0, for editors and code hosts.
    Sarif,
    /// A page for a browser.
    Html,
    /// The objects of that JSON, one a line.
    JsonLines,
    /// A line a remark, as compilers write them.
    Gcc,
    /// Commands to the runner of GitHub's workflows.
    Github,
    /// The issues of Code Climate, for GitLab's report on code quality.
    CodeClimate,
    /// The XML of JUnit: a test a question.
    Junit,
    /// The XML of Checkstyle.
    Checkstyle,
}

/// Whether text carries terminal colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// It does.
    On,
    /// It does not.
    Off,
}

/// The text of files that a report points into, by name.
pub type Texts = BTreeMap<String, String>;

/// A report as text.
#[must_use]
pub fn render(report: &Report, format: Format, texts: &Texts, colour: Colour) -> String {
    match format {
        Format::Human => human::findings(report, texts, colour),
        Format::Json => json::render(report),
        Format::Sarif => sarif::render(report, texts),
        Format::Html => html::render(report, texts),
        Format::JsonLines => {
            let lines: String = report.findings.iter().map(json::line).collect();
            lines + &json::closing_lines(report)
        }
        Format::Gcc => {
            let lines: String = report.findings.iter().map(gcc::lines).collect();
            lines + &gcc::closing(report)
        }
        Format::Github => github::render(report),
        Format::CodeClimate => codeclimate::render(report, texts),
        Format::Junit => junit::render(report),
        Format::Checkstyle => checkstyle::render(report),
    }
}

/// Whether a format can be written answer by answer.
#[must_use]
pub fn can_stream(format: Format) -> bool {
    matches!(format, Format::Human | Format::JsonLines | Format::Gcc)
}

/// One answer as text, in a format that is written answer by answer, and the answer before it.
#[must_use]
pub fn render_one(
    (before, finding): (&[Finding], &Finding),
    format: Format,
    texts: &Texts,
    colour: Colour,
) -> String {
    match format {
        Format::JsonLines => json::line(finding),
        Format::Gcc => gcc::lines(finding),
        _ => human::finding(finding, before, texts, colour),
    }
}

/// What comes after all answers, in a format that is written answer by answer.
#[must_use]
pub fn render_rest(report: &Report, format: Format) -> String {
    match format {
        Format::JsonLines => json::closing_lines(report),
        Format::Gcc => gcc::closing(report),
        _ => human::closing(report),
    }
}

impl Report {
    /// A report of nothing yet.
    #[must_use]
    pub fn new() -> Self {
        let (tool, version) = ("wane", env!("CARGO_PKG_VERSION"));
        let (problems, warnings) = (Vec::new(), Vec::new());
        let (findings, root, home) = (Vec::new(), String::new(), accepted::Home::default());
        Self { tool, version, findings, problems, warnings, root, home, is_interrupted: false }
    }

    /// The name of a file as code hosts know it: relative to the root, if it is below it.
    #[must_use]
    pub fn relative<'a>(&self, file: &'a str) -> &'a str {
        let below = file.strip_prefix(&self.root).and_then(|rest| rest.strip_prefix('/'));
        let mut name = below.filter(|_| !self.root.is_empty()).unwrap_or(file);
        while let Some(rest) = name.strip_prefix("./").filter(|it| !it.is_empty()) {
            name = rest.trim_start_matches('/');
        }
        name
    }

    /// The names of all files that it points into.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let causes = self.findings.iter().flat_map(|finding| &finding.causes);
        let in_causes = causes.filter_map(|cause| cause.location.as_ref());
        let evidence = self.findings.iter().filter_map(|finding| finding.evidence.as_ref());
        let in_paths = evidence.flat_map(Evidence::path).map(|event| &event.location);
        let in_problems = self.problems.iter().map(|problem| &problem.location);
        let evidence = self.findings.iter().filter_map(|finding| finding.evidence.as_ref());
        let in_loops = evidence.flat_map(|it| it.invariants.iter().map(|at| &at.location));
        let places = in_causes.chain(in_paths).chain(in_loops).chain(in_problems);
        let asked = self.findings.iter().map(|finding| finding.file.as_str());
        asked.chain(places.map(|location| location.file.as_str()))
    }
}

impl Default for Report {
    fn default() -> Self {
        Self::new()
    }
}

impl Answer {
    /// What a person calls it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Refuted => "refuted",
            Self::Unknown => "unknown",
        }
    }
}

impl Evidence {
    /// A counterexample for a person, a line at a time.
    #[must_use]
    pub fn run_lines(&self) -> Option<Vec<String>> {
        let endless = self.endless_run.as_ref().map(EndlessRun::lines);
        endless.or_else(|| self.failing_run.as_ref().map(FailingRun::lines))
    }

    /// What happens in the run of a counterexample.
    #[must_use]
    pub fn path(&self) -> &[run::Event] {
        let endless = self.endless_run.as_ref().map(|run| run.path.as_slice());
        endless
            .or_else(|| self.failing_run.as_ref().map(|run| run.path.as_slice()))
            .unwrap_or_default()
    }
}

impl LoopStory {
    /// What ends, and where.
    #[must_use]
    pub fn subject(&self) -> String {
        let place = self.location.describe();
        match self.kind {
            Repetition::Loop => format!("loop at {place} in `{}`", self.function),
            Repetition::Recursion => format!("recursion of `{}` at {place}", self.function),
        }
    }
}

impl Location {
    /// A file as a whole.
    #[must_use]
    pub fn of_file(file: &str) -> Self {
        Self { file: file.to_owned(), line: None, column: None, length: 0 }
    }

    /// The place of a span; of code that nobody wrote, the file that was asked
    /// about.
    #[must_use]
    pub fn of_span(span: Span, sources: &SourceMap) -> Self {
        let Some(file) = sources.files.get(usize::from(span.file)) else {
            return Self::of_file("<generated>");
        };
        let mut location = Self::of_file(file);
        if span.is_somewhere() {
            (location.line, location.column) = (Some(span.line), Some(span.column));
            location.length = span.length;
        }
        location
    }

    /// Whether its file is one of some.
    #[must_use]
    pub fn is_in(&self, files: &BTreeSet<String>) -> bool {
        files.contains(&self.file)
    }

    /// `file:line:column`, as far as they are known.
    #[must_use]
    pub fn describe(&self) -> String {
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}", self.file),
            (Some(line), None) => format!("{}:{line}", self.file),
            (None, _) => self.file.clone(),
        }
    }
}

impl Cause {
    /// A reason, placed in the user's files.
    #[must_use]
    pub fn of_reason(reason: &Reason, sources: &SourceMap) -> Self {
        let location = reason.span().filter(|span| span.is_somewhere());
        let location = location.map(|span| Location::of_span(span, sources));
        Self { code: reason.code(), message: reason.describe(), location }
    }

    /// The same; where a reason is about no place, it is about where the run starts.
    #[must_use]
    pub fn in_program(reason: &Reason, program: &Program) -> Self {
        let cause = Self::of_reason(reason, &program.sources);
        let entry = program.open.as_ref().map(|open| open.procedure);
        let main = || program.procedures.iter().find(|it| it.name == "main");
        let entry = entry.map(|entry| program.procedure(entry)).or_else(main);
        let start = entry.map(|entry| entry.span).filter(|span| span.is_somewhere());
        let start = start.map(|span| Location::of_span(span, &program.sources));
        let message = library::of_call(program, reason).unwrap_or(cause.message);
        let repeats = reason.span().filter(|span| is_of_recursion(program, *span));
        let message = match repeats {
            Some(_) => message.replace("this loop", "this recursion"),
            None => message,
        };
        Self { location: cause.location.or(start), message, ..cause }
    }
}

/// Whether a place is in functions without loops: what is repeated there is a recursion.
fn is_of_recursion(program: &Program, span: Span) -> bool {
    let own = program.procedures.iter().filter(|it| it.blocks.iter().any(|it| it.span == span));
    let mut own = own.map(|it| cutpoint::heads(it).iter().all(Option::is_none)).peekable();
    own.peek().is_some() && own.all(|is_without| is_without)
}

/// What it means that a property holds, as a clause about the entry function.
#[must_use]
pub fn claim(property: &str, entry: &str) -> String {
    match Question::from_name(property) {
        Some(Question::Termination) => format!("every run of `{entry}` ends"),
        // What its callers' memory is pointed at by, nobody knows in full.
        Some(Question::MemorySafety) if entry != "main" => format!(
            "no run of `{entry}` makes an invalid memory access or loses memory that it allocates"
        ),
        Some(Question::MemorySafety) => {
            format!("no run of `{entry}` makes an invalid memory access or loses memory")
        }
        Some(Question::MemoryCleanup) => format!("every run of `{entry}` frees all its memory"),
        Some(Question::Reach) => format!("no run of `{entry}` reaches an error"),
        _ => match property {
            "thread-termination" => "every run of the thread ends".to_owned(),
            "ltl" | "ctl" => format!("every run of `{entry}` satisfies the formula"),
            "spec" => format!("every run of `{entry}` satisfies the specification"),
            other => format!("`{entry}` satisfies the {other} property"),
        },
    }
}
