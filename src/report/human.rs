//! Text for a person at a terminal, in the manner of rustc.

use super::{
    Answer, Cause, Colour, Evidence, Finding, Location, LoopStory, Problem, Report, Texts, claim,
};
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Level, Origin, Renderer, Snippet, Title,
};
use std::fmt::Write as _;
use std::ops::Range;

/// How many reasons of one unknown answer are shown.
const SHOWN_CAUSES: usize = 5;

/// The answers and a line that counts them.
#[must_use]
pub fn findings(report: &Report, texts: &Texts, colour: Colour) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        text.push_str(&match finding.answer {
            Answer::Proved | Answer::Refuted => decided(finding, colour),
            Answer::Unknown => undecided(finding, texts, colour),
        });
        text.push('\n');
    }
    text.push_str(&summary(report));
    text.push('\n');
    text
}

/// The files that could not be read.
#[must_use]
pub fn problems(problems: &[Problem], texts: &Texts, colour: Colour) -> String {
    let mut text = String::new();
    for problem in problems {
        let title = Level::ERROR.primary_title(&problem.message);
        let group = title.element(place(&problem.location, texts));
        text.push_str(&renderer(colour).render(&[group]));
        text.push_str("\n\n");
    }
    text
}

/// `2 proved, 1 unknown`, and the files that were not read.
pub(super) fn summary(report: &Report) -> String {
    let count = |answer| report.findings.iter().filter(|finding| finding.answer == answer).count();
    let mut parts: Vec<String> = [Answer::Proved, Answer::Refuted, Answer::Unknown]
        .into_iter()
        .map(|answer| (count(answer), answer.word()))
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    match report.problems.len() {
        0 => {}
        1 => parts.push("1 error".to_owned()),
        number => parts.push(format!("{number} errors")),
    }
    if parts.is_empty() { "nothing was asked".to_owned() } else { parts.join(", ") }
}

fn decided(finding: &Finding, colour: Colour) -> String {
    let word = paint(finding.answer, colour);
    let mut text = format!("{word}: {}  ({})\n", finding.reason, finding.file);
    for story in finding.evidence.iter().flat_map(|evidence| &evidence.loops) {
        text.push_str(&loop_line(story));
    }
    if let Some(lines) = finding.evidence.as_ref().and_then(Evidence::run_lines) {
        for cause in &finding.causes {
            let place = cause.location.as_ref();
            let place = place.map_or_else(String::new, |it| format!("{}: ", it.describe()));
            let _ = writeln!(text, "  {}: {place}{}", cause.code, cause.message);
        }
        for line in lines {
            let _ = writeln!(text, "  {line}");
        }
    }
    if !finding.assumptions.is_empty() {
        let _ = writeln!(text, "  assuming that {}", finding.assumptions.join(", and "));
    }
    text
}

fn loop_line(story: &LoopStory) -> String {
    let calls: Vec<String> =
        story.called_from.iter().map(|call| describe_call(call, &story.location)).collect();
    let calls = if calls.is_empty() {
        String::new()
    } else {
        format!(" (called from {})", calls.join(", "))
    };
    let mut text = format!("  {}{calls}: {}\n", story.subject(), story.explanation);
    for (position, relation) in story.relations.iter().enumerate() {
        let word = if position == 0 { "where" } else { "or" };
        let _ = writeln!(text, "    {word:<5} {relation}");
    }
    text
}

/// A call by its line and column, with the file only if it is another one.
fn describe_call(call: &Location, target: &Location) -> String {
    match (call.line, call.column) {
        (Some(line), Some(column)) if call.file == target.file => format!("{line}:{column}"),
        _ => call.describe(),
    }
}

fn paint(answer: Answer, colour: Colour) -> String {
    let code = match (colour, answer) {
        (Colour::Off, _) => return answer.word().to_owned(),
        (Colour::On, Answer::Proved) => "32",
        (Colour::On, Answer::Refuted) => "31",
        (Colour::On, Answer::Unknown) => "33",
    };
    format!("\u{1b}[1;{code}m{}\u{1b}[0m", answer.word())
}

pub(super) fn undecided(finding: &Finding, texts: &Texts, colour: Colour) -> String {
    let mut text = String::new();
    for (position, cause) in finding.causes.iter().take(SHOWN_CAUSES).enumerate() {
        let whole_file = Location::of_file(&finding.file);
        let element = place(cause.location.as_ref().unwrap_or(&whole_file), texts);
        let mut group = title(cause).element(element);
        if position == 0 {
            let goal = claim(&finding.property, &finding.entry);
            group = group
                .element(Level::NOTE.message(format!("this is why it is unknown whether {goal}")));
        }
        let is_new = !finding.causes[..position].iter().any(|earlier| earlier.code == cause.code);
        if is_new {
            group = group.element(Level::HELP.message(format!("wane explain {}", cause.code)));
        }
        if position > 0 {
            text.push('\n');
        }
        text.push_str(&renderer(colour).render(&[group]));
        text.push('\n');
    }
    if let Some(more @ 1..) = finding.causes.len().checked_sub(SHOWN_CAUSES) {
        let _ = writeln!(text, "and {more} more reasons; --format json lists them all");
    }
    text
}

fn title(cause: &Cause) -> Title<'_> {
    Level::WARNING.with_name("unknown").primary_title(&cause.message).id(cause.code)
}

fn renderer(colour: Colour) -> Renderer {
    match colour {
        Colour::On => Renderer::styled(),
        Colour::Off => Renderer::plain(),
    }
}

/// The line with the place marked, or only its name when the text is not there.
fn place<'a>(location: &'a Location, texts: &'a Texts) -> Element<'a> {
    let Some((start, mark, line)) = marked_line(location, texts) else {
        let mut origin = Origin::path(&location.file);
        if let (Some(line), Some(column)) = (location.line, location.column) {
            origin = origin.line(line as usize).char_column(column as usize);
        }
        return origin.into();
    };
    let annotation: Annotation<'_> = AnnotationKind::Primary.span(mark);
    Snippet::source(line).line_start(start).path(&location.file).annotation(annotation).into()
}

/// The number and text of the line, and the bytes of it that are meant.
fn marked_line<'a>(
    location: &Location,
    texts: &'a Texts,
) -> Option<(usize, Range<usize>, &'a str)> {
    let number = usize::try_from(location.line?).ok()?;
    let line = texts.get(&location.file)?.lines().nth(number.checked_sub(1)?)?;
    let skipped = usize::try_from(location.column?).ok()?.saturating_sub(1);
    let byte_of =
        |character: usize| line.char_indices().nth(character).map_or(line.len(), |(byte, _)| byte);
    let length = usize::try_from(location.length.max(1)).ok()?;
    Some((number, byte_of(skipped)..byte_of(skipped.saturating_add(length)), line))
}
