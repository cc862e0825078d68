//! The XML of JUnit, which GitLab, Jenkins and others show as tests: a suite a file, a test a
//! question about one of its functions.
//!
//! What is refuted failed, and a file that was not read is an error. What is unknown neither
//! passed nor failed: such a test is skipped, with the reason as its message; so is one whose
//! answer the user accepts. Tests have no times, so that the same answers are the same text.

use super::{Place, Remark, Weight, of_problems};
use crate::markup::{HEAD, attribute, text};
use crate::{Answer, Finding, Report, sentence};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The tests of one file, or of all.
#[derive(Default)]
struct Suite {
    cases: String,
    /// What should be known beside the answers.
    said: String,
    counts: Counts,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

/// How a test came out, if it did not pass.
#[derive(Clone, Copy)]
enum Outcome {
    Failure,
    Error,
    Skipped,
}

/// The suites by name of file.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut suites: BTreeMap<&str, Suite> = BTreeMap::new();
    for finding in &report.findings {
        let file = report.relative(&finding.file);
        suites.entry(file).or_default().add_finding(file, finding, report);
    }
    for remark in of_problems(report) {
        let file = report.relative(remark.place.file);
        suites.entry(file).or_default().add_problem(file, &remark, report);
    }
    let mut all = Counts::default();
    suites.values().for_each(|suite| all.add(suite.counts));
    let mut document =
        format!("{HEAD}<testsuites{}{}>\n", attribute("name", report.tool), all.attributes());
    for (file, suite) in &suites {
        let (name, counts) = (attribute("name", file), suite.counts.attributes());
        let _ = writeln!(document, "  <testsuite{name}{counts}>\n{}", suite.cases.trim_end());
        if !suite.said.is_empty() {
            let _ = writeln!(document, "    <system-err>{}</system-err>", text(&suite.said));
        }
        document.push_str("  </testsuite>\n");
    }
    document + "</testsuites>\n"
}

impl Suite {
    fn add_finding(&mut self, file: &str, finding: &Finding, report: &Report) {
        let argument = finding.argument.as_ref().map_or_else(String::new, |it| format!(" `{it}`"));
        let name = format!("{}: {}{argument}", finding.entry, finding.property);
        let outcome = match finding.answer {
            Answer::Proved => None,
            _ if finding.accepted.is_some() => Some(Outcome::Skipped),
            Answer::Refuted => Some(Outcome::Failure),
            Answer::Unknown => Some(Outcome::Skipped),
        };
        let accepted = if finding.accepted.is_some() { "accepted: " } else { "" };
        let message = accepted.to_owned() + &sentence::of_finding(finding);
        let mut details = String::new();
        for cause in &finding.causes {
            let place = Place::of_cause(Some(cause), finding);
            details.push_str(&line(place, &format!("{} [{}]", cause.message, cause.code), report));
        }
        let kind = finding.causes.first().map_or(finding.property.as_str(), |it| it.code);
        self.add((file, &name), outcome, (kind, &message, &details));
    }

    fn add_problem(&mut self, file: &str, remark: &Remark<'_>, report: &Report) {
        let details = line(remark.place, &remark.message, report);
        match remark.weight {
            Weight::Error => {
                let what = (remark.rule, remark.message.as_str(), details.as_str());
                self.add((file, "the file is read"), Some(Outcome::Error), what);
            }
            Weight::Warning => self.said.push_str(&details),
        }
    }

    fn add(
        &mut self,
        (file, name): (&str, &str),
        outcome: Option<Outcome>,
        (kind, message, details): (&str, &str, &str),
    ) {
        self.counts.tests += 1;
        let head = format!(
            "    <testcase{}{}{}",
            attribute("classname", file),
            attribute("name", name),
            attribute("file", file)
        );
        let Some(outcome) = outcome else {
            let _ = writeln!(self.cases, "{head}/>");
            return;
        };
        // The element of a test that was skipped has no type.
        let (element, count, kind) = match outcome {
            Outcome::Failure => ("failure", &mut self.counts.failures, attribute("type", kind)),
            Outcome::Error => ("error", &mut self.counts.errors, attribute("type", kind)),
            Outcome::Skipped => ("skipped", &mut self.counts.skipped, String::new()),
        };
        *count += 1;
        let (said, details) = (attribute("message", message), text(details));
        let inner = format!("<{element}{said}{kind}>{details}</{element}>");
        let _ = writeln!(self.cases, "{head}>\n      {inner}\n    </testcase>");
    }
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
    }

    fn attributes(self) -> String {
        let pairs = [
            ("tests", self.tests),
            ("failures", self.failures),
            ("errors", self.errors),
            ("skipped", self.skipped),
        ];
        pairs.iter().map(|(name, number)| attribute(name, &number.to_string())).collect()
    }
}

/// A reason with its place.
fn line(place: Place<'_>, message: &str, report: &Report) -> String {
    format!("{}:{}:{}: {message}\n", report.relative(place.file), place.line, place.column)
}
