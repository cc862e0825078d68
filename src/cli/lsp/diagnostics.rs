//! What is wrong in a document, and what is not known of it, at its places.

use super::answers::{Answers, file_of};
use super::documents::Documents;
use super::positions::Encoding;
use super::settings::{Abilities, Ability, Unknown};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location as Place, NumberOrString,
};
use report::run::{Event, EventKind, Weight};
use report::{Answer, Evidence, Finding, Location, Problem, Texts, claim, codes, human};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Who says so.
pub(super) const SOURCE: &str = "wane";
/// So many functions are named by a diagnostic.
const SHOWN_FUNCTIONS: usize = 3;
/// So many lines tell of a run.
const SHOWN_LINES: usize = 4;
/// So many further reasons are shown.
const SHOWN_CAUSES: usize = 5;
/// So many steps of a run are shown.
const SHOWN_STEPS: usize = 8;

/// How answers are shown.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    /// What the client can do.
    pub(super) abilities: Abilities,
    /// How what is unknown is shown.
    pub(super) unknown: Unknown,
    /// The documents that are open, whose names the client knows.
    pub(super) documents: &'a Documents,
}

/// The diagnostics of each file that answers point into. What two answers say of one place
/// alike is said once.
pub(super) fn of(answers: &Answers, view: View<'_>) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let mut found: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    let mut add = |place: &Location, diagnostic: Diagnostic| {
        let own = found.entry(file_of(&place.file)).or_default();
        if !own.contains(&diagnostic) {
            own.push(diagnostic);
        }
    };
    let encoding = view.abilities.encoding;
    for group in groups(answers, view.unknown) {
        add(&group.place, group.diagnostic(answers, view));
    }
    let report = &answers.report;
    for problem in &report.problems {
        let severity = DiagnosticSeverity::ERROR;
        add(&problem.location, of_problem(problem, severity, (encoding, &answers.texts)));
    }
    for warning in &report.warnings {
        let severity = DiagnosticSeverity::WARNING;
        add(&warning.location, of_problem(warning, severity, (encoding, &answers.texts)));
    }
    found
}

fn of_problem(
    problem: &Problem,
    severity: DiagnosticSeverity,
    (encoding, texts): (Encoding, &Texts),
) -> Diagnostic {
    Diagnostic {
        range: encoding.range(&problem.location, texts),
        severity: Some(severity),
        source: Some(SOURCE.to_owned()),
        message: problem.message.clone(),
        ..Diagnostic::default()
    }
}

/// Findings that say the same of one place.
struct Group<'a> {
    place: Location,
    severity: DiagnosticSeverity,
    code: &'static str,
    message: String,
    findings: Vec<&'a Finding>,
}

/// What is shown of an answer, if it is shown at all.
fn severity(finding: &Finding, unknown: Unknown) -> Option<DiagnosticSeverity> {
    let ends_by_overflow =
        finding.causes.first().is_some_and(|cause| cause.code == codes::ENDS_BY_OVERFLOW);
    match (finding.answer, unknown) {
        _ if finding.accepted.is_some() => None,
        (Answer::Proved, _) => None,
        (Answer::Refuted, _) => Some(DiagnosticSeverity::ERROR),
        (Answer::Unknown, _) if ends_by_overflow => Some(DiagnosticSeverity::WARNING),
        (Answer::Unknown, Unknown::Information) => Some(DiagnosticSeverity::INFORMATION),
        (Answer::Unknown, Unknown::Hint) => Some(DiagnosticSeverity::HINT),
        (Answer::Unknown, Unknown::Hide) => None,
    }
}

fn groups(answers: &Answers, unknown: Unknown) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for finding in &answers.report.findings {
        let Some(severity) = severity(finding, unknown) else { continue };
        let place = answers.place_of(finding);
        let (code, message) = match finding.causes.first() {
            Some(cause) => (cause.code, cause.message.clone()),
            None => ("", finding.reason.clone()),
        };
        let is_alike = |it: &&mut Group<'_>| {
            it.place == place && it.severity == severity && it.code == code && it.message == message
        };
        match groups.iter_mut().find(is_alike) {
            Some(group) => group.findings.push(finding),
            None => groups.push(Group { place, severity, code, message, findings: vec![finding] }),
        }
    }
    // Where an error is known, it is no news that something else is unknown for its sake.
    let errors = groups.iter().filter(|it| it.severity == DiagnosticSeverity::ERROR);
    let errors: Vec<_> = errors.map(|it| (it.place.clone(), it.code)).collect();
    let is_news = |it: &Group<'_>| {
        it.severity == DiagnosticSeverity::ERROR || !errors.contains(&(it.place.clone(), it.code))
    };
    groups.retain(is_news);
    groups
}

impl Group<'_> {
    fn diagnostic(&self, answers: &Answers, view: View<'_>) -> Diagnostic {
        let related = match view.abilities.related {
            Ability::Present => self.related(answers, view),
            Ability::Absent => Vec::new(),
        };
        Diagnostic {
            range: view.abilities.encoding.range(&self.place, &answers.texts),
            severity: Some(self.severity),
            code: (!self.code.is_empty()).then(|| NumberOrString::String(self.code.to_owned())),
            source: Some(SOURCE.to_owned()),
            message: self.text(),
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        }
    }

    /// What is wrong, for which functions, and what a run does there.
    fn text(&self) -> String {
        let mut lines = vec![self.message.clone()];
        lines.extend(self.findings.iter().take(SHOWN_FUNCTIONS).map(|it| consequence(it)));
        if let Some(more @ 1..) = self.findings.len().checked_sub(SHOWN_FUNCTIONS) {
            lines.push(format!("and {more} more"));
        }
        let run = self.findings.iter().find_map(|it| it.evidence.as_ref()?.run_lines());
        lines.extend(run.into_iter().flatten().take(SHOWN_LINES));
        lines.join("\n")
    }

    /// Further reasons, and what happens on the way there.
    fn related(&self, answers: &Answers, view: View<'_>) -> Vec<DiagnosticRelatedInformation> {
        let Some(finding) = self.findings.first() else { return Vec::new() };
        let causes = finding.causes.iter().skip(1).take(SHOWN_CAUSES);
        let causes = causes.filter_map(|cause| {
            Some((cause.location.as_ref()?, format!("{}: {}", cause.code, cause.message)))
        });
        let path = finding.evidence.as_ref().map_or(&[][..], Evidence::path);
        let steps: Vec<&Event> = path.iter().filter(|it| is_shown(it, &self.place)).collect();
        // The last ones are nearest to what is wrong.
        let skipped = steps.len().saturating_sub(SHOWN_STEPS);
        let steps = steps.into_iter().skip(skipped).map(|it| (&it.location, it.message.clone()));
        let related = causes.chain(steps).filter_map(|(place, message)| {
            let uri = view.documents.uri(&file_of(&place.file))?;
            let range = view.abilities.encoding.range(place, &answers.texts);
            Some(DiagnosticRelatedInformation { location: Place { uri, range }, message })
        });
        related.collect()
    }
}

/// Whether a step belongs in a short story. Inputs are told in words.
fn is_shown(event: &Event, here: &Location) -> bool {
    let is_main = event.weight == Weight::Main && event.kind != EventKind::Input;
    is_main && event.location.line.is_some() && event.location != *here
}

/// What an answer means for its function.
fn consequence(finding: &Finding) -> String {
    match finding.answer {
        Answer::Refuted => human::offence(finding),
        Answer::Proved | Answer::Unknown => {
            format!("so it is unknown whether {}", claim(&finding.property, &finding.entry))
        }
    }
}
