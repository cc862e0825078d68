//! Formats for compilers' readers, code hosts and machines that build: a file each. What
//! they have in common is a list of remarks, each at one place.

pub mod checkstyle;
pub mod codeclimate;
pub mod gcc;
pub mod github;
pub mod junit;

use super::{Answer, Cause, Evidence, Finding, Location, Problem, Report, sentence};

/// How weighty a remark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    /// Something is refuted, or a file was not read.
    Error,
    /// Something is unknown, or should be known.
    Warning,
}

/// What there is to say at one place.
#[derive(Clone, Debug)]
struct Remark<'a> {
    weight: Weight,
    /// The code of the first reason, else the property; `error` or `warning` of a problem.
    rule: &'a str,
    place: Place<'a>,
    /// What is so, as a clause without its place.
    message: String,
    /// The run that shows it, in sentences.
    run: Vec<String>,
    /// Further reasons.
    more: Vec<(Place<'a>, &'a Cause)>,
    /// The answer that it is about, if it is about one.
    finding: Option<&'a Finding>,
}

/// A place in the way of formats that know no files as a whole: these are their first line.
#[derive(Clone, Copy, Debug)]
struct Place<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    /// The column behind it.
    end: u32,
}

impl<'a> Place<'a> {
    fn of(location: &'a Location) -> Self {
        let line = location.line.unwrap_or(1).max(1);
        let column = location.column.unwrap_or(1).max(1);
        let end = column.saturating_add(location.length.max(1));
        Self { file: &location.file, line, column, end }
    }

    /// The place of a reason; where it is about none, the file that was asked about.
    fn of_cause(cause: Option<&'a Cause>, finding: &'a Finding) -> Self {
        let whole_file = Self { file: &finding.file, line: 1, column: 1, end: 2 };
        cause.and_then(|it| it.location.as_ref()).map_or(whole_file, Self::of)
    }
}

impl<'a> Remark<'a> {
    /// What there is to say of an answer; nothing of proofs, nor of what is accepted.
    fn of_finding(finding: &'a Finding) -> Option<Self> {
        if finding.accepted.is_some() {
            return None;
        }
        let weight = match finding.answer {
            Answer::Proved => return None,
            Answer::Refuted => Weight::Error,
            Answer::Unknown => Weight::Warning,
        };
        let first = finding.causes.first();
        let further = finding.causes.iter().skip(1);
        Some(Self {
            weight,
            rule: first.map_or(finding.property.as_str(), |cause| cause.code),
            place: Place::of_cause(first, finding),
            message: sentence::of_finding(finding),
            run: finding.evidence.as_ref().and_then(Evidence::run_lines).unwrap_or_default(),
            more: further.map(|it| (Place::of_cause(Some(it), finding), it)).collect(),
            finding: Some(finding),
        })
    }

    fn of_problem(problem: &'a Problem, weight: Weight) -> Self {
        let rule = match weight {
            Weight::Error => "error",
            Weight::Warning => "warning",
        };
        let (place, message) = (Place::of(&problem.location), problem.message.clone());
        let (run, more) = (Vec::new(), Vec::new());
        Self { weight, rule, place, message, run, more, finding: None }
    }
}

/// Remarks about files that were not read, and about what should be known beside the answers.
fn of_problems(report: &Report) -> impl Iterator<Item = Remark<'_>> {
    let errors = report.problems.iter().map(|it| Remark::of_problem(it, Weight::Error));
    let warnings = report.warnings.iter().map(|it| Remark::of_problem(it, Weight::Warning));
    errors.chain(warnings)
}

/// All that there is to say: of answers, then of problems.
fn of_report(report: &Report) -> impl Iterator<Item = Remark<'_>> {
    report.findings.iter().filter_map(Remark::of_finding).chain(of_problems(report))
}
