//! The last part of the page: the lines that answers are about, with links back to them.

use super::super::run::EventKind;
use super::super::{Answer, Finding, Location, Report, Texts};
use super::{escape, line_id, step_id};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What is said of a line.
#[derive(Default)]
struct Marks {
    /// Whether a run fails here.
    fails: bool,
    /// The answers that are about it, by their positions in the report.
    answers: BTreeSet<usize>,
    /// Steps of runs: answer and position in its path.
    steps: BTreeSet<(usize, usize)>,
}

type Lines = BTreeMap<u32, Marks>;

/// The source of the files that answers are about, with numbered lines. Of headers of the system,
/// only the lines themselves are shown.
pub(super) fn render(report: &Report, texts: &Texts) -> String {
    let mut files: BTreeMap<&str, Lines> = BTreeMap::new();
    for (position, finding) in report.findings.iter().enumerate() {
        mark(position, finding, &mut files);
    }
    let mut text = String::new();
    for (file, marks) in files {
        let Some(source) = texts.get(file) else { continue };
        let name = escape(file);
        let _ = writeln!(text, "<section class=\"source\">\n<h2>{name}</h2>\n<pre tabindex=\"0\">");
        let none = Marks::default();
        for (number, line) in (1_u32..).zip(source.lines()) {
            let own = marks.get(&number);
            if own.is_some() || !is_of_the_system(file) {
                text.push_str(&shown(file, (number, line), own.unwrap_or(&none)));
            }
        }
        text.push_str("</pre>\n</section>\n");
    }
    text
}

fn is_of_the_system(file: &str) -> bool {
    ["/usr/", "/opt/", "/lib/"].iter().any(|folder| file.starts_with(folder))
}

/// Marks the lines that an answer is about.
fn mark<'a>(position: usize, finding: &'a Finding, files: &mut BTreeMap<&'a str, Lines>) {
    let mut at = |place: &'a Location, mark: &dyn Fn(&mut Marks)| {
        if let Some(line) = place.line {
            mark(files.entry(&place.file).or_default().entry(line).or_default());
        }
    };
    for place in finding.causes.iter().filter_map(|cause| cause.location.as_ref()) {
        at(place, &|marks| {
            marks.answers.insert(position);
            marks.fails |= finding.answer == Answer::Refuted;
        });
    }
    let Some(evidence) = &finding.evidence else { return };
    let loops = evidence.loops.iter().map(|story| &story.location);
    let calls = evidence.loops.iter().flat_map(|story| &story.called_from);
    let invariants = evidence.invariants.iter().map(|it| &it.location);
    for place in loops.chain(calls).chain(invariants) {
        at(place, &|marks| {
            marks.answers.insert(position);
        });
    }
    for (step, event) in evidence.path().iter().enumerate() {
        at(&event.location, &|marks| {
            marks.steps.insert((position, step));
            marks.fails |= event.kind == EventKind::Error;
        });
    }
}

/// A line with its number, and links to what is said of it.
fn shown(file: &str, (number, line): (u32, &str), marks: &Marks) -> String {
    let class = match (marks.fails, marks.answers.is_empty() && marks.steps.is_empty()) {
        (true, _) => " mark fail",
        (false, false) => " mark",
        (false, true) => "",
    };
    let mut text = format!(
        "<span class=\"line{class}\" id=\"{}\"><i>{number}</i>{}",
        line_id(file, number),
        escape(line),
    );
    for (answer, step) in &marks.steps {
        let id = step_id(*answer, *step);
        let _ = write!(text, " <a class=\"step\" href=\"#{id}\">{}</a>", step + 1);
    }
    for answer in &marks.answers {
        let _ = write!(text, " <a class=\"back\" href=\"#answer{answer}\">\u{21a9}</a>");
    }
    text + "</span>"
}
