//! Text for a person at a terminal, in the manner of rustc.

use super::codes;
use super::precondition;
use super::run::{Drawing, Event, EventKind, Weight};
use super::table;
use super::{
    Answer, Cause, Colour, Evidence, Finding, Location, LoopStory, Problem, Report, Statistics,
    Texts, assumed, claim,
};
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Level, Origin, Renderer, Snippet, Title,
};
use question::Question;
use std::fmt::Write as _;
use std::ops::Range;

/// How many reasons of one unknown answer are shown.
const SHOWN_CAUSES: usize = 5;

/// The answers and a line that counts them.
#[must_use]
pub fn findings(report: &Report, texts: &Texts, colour: Colour) -> String {
    let answers = report.findings.iter().enumerate();
    let one = |(index, it)| finding(it, &report.findings[..index], texts, colour);
    answers.map(one).collect::<String>() + &closing(report)
}

/// One answer, and what was answered before it; nothing, if it is accepted. What leaves a
/// second question open for the same reasons, or for what was told of a refuted one, is not shown
/// twice.
#[must_use]
pub fn finding(finding: &Finding, before: &[Finding], texts: &Texts, colour: Colour) -> String {
    if finding.accepted.is_some() {
        return String::new();
    }
    let text = match finding.answer {
        Answer::Proved => proved(finding, colour),
        Answer::Refuted => refuted(finding, texts, colour),
        Answer::Unknown => {
            let goal = claim(&finding.property, &finding.entry);
            let (new, told) = told_apart(finding, before);
            match told.as_str() {
                "" => {
                    let first = headline(finding, &format!("whether {goal}"), colour);
                    first + &undecided(finding, texts, colour)
                }
                _ if before.last().is_some_and(|it| is_open_likewise(it, finding)) => {
                    headline(finding, &format!("for the same reason, whether {goal}"), colour)
                }
                told if new.causes.is_empty() => {
                    headline(finding, &format!("for {told} (see above), whether {goal}"), colour)
                }
                told => {
                    let also = format!("also for {told} (see above), whether {goal}");
                    headline(finding, &also, colour) + &undecided(&new, texts, colour)
                }
            }
        }
    };
    let took = finding.statistics.map(|it| format!("  took {}\n", took(it)));
    text + &took.unwrap_or_default() + "\n"
}

/// What an answer took, as a list.
fn took(statistics: Statistics) -> String {
    let Statistics { milliseconds, steps, states, memory_kib } = statistics;
    let memory = memory_kib.map(|it| format!("; the whole run at most {} MiB by then", it / 1024));
    let memory = memory.unwrap_or_default();
    format!("{milliseconds} ms, {steps} steps, {states} symbolic states{memory}")
}

/// What follows the answers: a table, where there are several functions, and a count.
#[must_use]
pub fn closing(report: &Report) -> String {
    format!("{}{}\n", table::of_functions(report), summary(report))
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

/// What the user should know beside the answers.
#[must_use]
pub fn warnings(warnings: &[Problem], texts: &Texts, colour: Colour) -> String {
    let mut text = String::new();
    for warning in warnings {
        let title = Level::WARNING.primary_title(&warning.message);
        let group = title.element(place(&warning.location, texts));
        text.push_str(&renderer(colour).render(&[group]));
        text.push_str("\n\n");
    }
    text
}

/// `2 proved, 1 unknown`, and the files that were not read.
pub(super) fn summary(report: &Report) -> String {
    let shown = || report.findings.iter().filter(|finding| finding.accepted.is_none());
    let count = |answer| shown().filter(|finding| finding.answer == answer).count();
    let mut parts: Vec<String> = [Answer::Proved, Answer::Refuted, Answer::Unknown]
        .into_iter()
        .map(|answer| (count(answer), answer.word()))
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    match report.findings.len() - shown().count() {
        0 => {}
        number => parts.push(format!("{number} accepted")),
    }
    match report.problems.len() {
        0 => {}
        1 => parts.push("1 error".to_owned()),
        number => parts.push(format!("{number} errors")),
    }
    if parts.is_empty() { "nothing was asked".to_owned() } else { parts.join(", ") }
}

/// Whether two questions about one function are open for the same reasons.
fn is_open_likewise(before: &Finding, finding: &Finding) -> bool {
    before.accepted.is_none()
        && before.answer == finding.answer
        && (&before.file, &before.entry) == (&finding.file, &finding.entry)
        && before.causes == finding.causes
        && !finding.causes.is_empty()
}

/// An open answer without the reasons that stand above it already, and these as a list: the same
/// codes at the same places.
fn told_apart(finding: &Finding, before: &[Finding]) -> (Finding, String) {
    let subject = (&finding.file, &finding.entry);
    let earlier = before.iter().rev().take_while(|it| (&it.file, &it.entry) == subject);
    let shown: Vec<&Cause> = earlier
        .filter(|it| it.accepted.is_none() && it.answer != Answer::Proved)
        .flat_map(|it| it.causes.iter().take(SHOWN_CAUSES))
        .filter(|it| it.location.is_some())
        .collect();
    let is_told = |cause: &Cause| {
        shown.iter().any(|it| (it.code, &it.location) == (cause.code, &cause.location))
    };
    let (told, new): (Vec<Cause>, Vec<Cause>) =
        finding.causes.iter().cloned().partition(|it| is_told(it));
    let place = |cause: &Cause| cause.location.as_ref().map(Location::describe).unwrap_or_default();
    let told: Vec<String> = told.iter().map(|it| format!("{} at {}", it.code, place(it))).collect();
    (Finding { causes: new, ..finding.clone() }, told.join(", "))
}

fn headline(finding: &Finding, sentence: &str, colour: Colour) -> String {
    format!("{}: {sentence}  ({})\n", paint(finding.answer, colour), finding.file)
}

fn proved(finding: &Finding, colour: Colour) -> String {
    let sentence = match precondition::alternatives(&finding.precondition, ", or if ") {
        condition if condition.is_empty() => finding.reason.clone(),
        condition => format!("{} if {condition}", claim(&finding.property, &finding.entry)),
    };
    let mut text = headline(finding, &sentence, colour);
    for line in precondition::legend(&finding.precondition) {
        let _ = writeln!(text, "  where {line}");
    }
    for story in finding.evidence.iter().flat_map(|evidence| &evidence.loops) {
        text.push_str(&loop_line(story));
    }
    if let Some(story) = finding.evidence.as_ref().and_then(|it| it.agreement.as_ref()) {
        let _ = writeln!(text, "  the other threads keep to the agreement `{}`", story.agreement);
        for step in &story.steps {
            let _ = writeln!(text, "    {step}");
        }
    }
    text.push_str(&assumptions(finding));
    for line in assumed::lines(finding) {
        let _ = writeln!(text, "  {line}");
    }
    text
}

fn assumptions(finding: &Finding) -> String {
    if finding.assumptions.is_empty() {
        return String::new();
    }
    format!("  assuming that {}\n", finding.assumptions.join(", and "))
}

/// What a run does, as a sentence.
#[must_use]
pub fn offence(finding: &Finding) -> String {
    let entry = &finding.entry;
    let is_leak = finding.subproperty.as_deref() == Some("valid-memtrack");
    match Question::from_name(&finding.property) {
        Some(Question::MemorySafety) if is_leak => format!("a run of `{entry}` loses memory"),
        Some(Question::MemorySafety) => {
            format!("a run of `{entry}` makes an invalid memory access")
        }
        Some(Question::MemoryCleanup) => format!("a run of `{entry}` does not free all its memory"),
        Some(Question::Reach) => format!("a run of `{entry}` reaches an error"),
        _ => finding.reason.clone(),
    }
}

/// The error with what led there marked in the source, then the run in words.
fn refuted(finding: &Finding, texts: &Texts, colour: Colour) -> String {
    let mut text = headline(finding, &offence(finding), colour);
    let run = finding.evidence.as_ref();
    for (position, cause) in finding.causes.iter().enumerate() {
        let whole_file = Location::of_file(&finding.file);
        let here = cause.location.as_ref().unwrap_or(&whole_file);
        let told = run.filter(|_| position == 0).map_or(Vec::new(), |run| story(run, here));
        let title = Level::ERROR.primary_title(&cause.message).id(cause.code);
        let mut group = title.elements(marked(here, &told, texts));
        if let Some(evidence) = run.filter(|_| position == 0) {
            for line in evidence.run_lines().unwrap_or_default() {
                group = group.element(Level::NOTE.message(line));
            }
            for line in memory_lines(evidence) {
                group = group.element(Level::NOTE.with_name("memory").message(line));
            }
        }
        group = group.element(Level::HELP.message(format!("wane explain {}", cause.code)));
        text.push_str(&renderer(colour).render(&[group]));
        text.push('\n');
    }
    text.push_str(&assumptions(finding));
    text
}

/// How many events of a run are marked in the source.
const SHOWN_EVENTS: usize = 8;
/// How many lines of memory are shown.
const SHOWN_MEMORY: usize = 8;

/// The events that a short story tells, without the inputs, which are told in words,
/// and without the error itself. Of those at one place the last one.
fn story<'a>(evidence: &'a Evidence, here: &Location) -> Vec<&'a Event> {
    let all = evidence.path().iter();
    let mut told: Vec<&Event> = all
        .filter(|event| event.weight == Weight::Main && event.kind != EventKind::Input)
        .filter(|event| event.location != *here || event.kind == EventKind::Freed)
        .filter(|event| event.location.line.is_some())
        .collect();
    let is_last = |position: usize, events: &[&Event]| {
        !events[position + 1..].iter().any(|later| later.location == events[position].location)
    };
    let mut position = 0;
    while position < told.len() {
        if is_last(position, &told) {
            position += 1;
        } else {
            told.remove(position);
        }
    }
    let excess = told.len().saturating_sub(SHOWN_EVENTS);
    told.drain(..excess);
    told
}

/// What memory looks like in the end, when the error is about memory.
fn memory_lines(evidence: &Evidence) -> Vec<String> {
    let drawing = evidence.path().last().and_then(|event| event.heap.as_ref());
    let mut lines = drawing.map_or_else(Vec::new, Drawing::lines);
    if lines.len() > SHOWN_MEMORY {
        lines.truncate(SHOWN_MEMORY);
        lines.push("and so on".to_owned());
    }
    lines
}

/// The error and the events, marked in the files that they are in.
fn marked<'a>(here: &'a Location, events: &[&'a Event], texts: &'a Texts) -> Vec<Element<'a>> {
    let Some(text) = texts.get(&here.file) else { return vec![place(here, texts)] };
    let Some(mark) = bytes_of(here, text) else { return vec![place(here, texts)] };
    let primary = AnnotationKind::Primary.span(mark);
    let earlier = events.iter().enumerate().find(|(_, event)| event.location == *here);
    let primary = match earlier {
        Some((number, event)) => primary.label(format!("{}. {}", number + 1, event.message)),
        None => primary,
    };
    let snippet = Snippet::source(text.as_str()).path(&here.file).annotation(primary);
    let mut files = vec![(here.file.as_str(), snippet)];
    for (number, event) in events.iter().enumerate() {
        if event.location == *here {
            continue;
        }
        let file = event.location.file.as_str();
        let Some(text) = texts.get(file) else { continue };
        let Some(mark) = bytes_of(&event.location, text) else { continue };
        let label = format!("{}. {}", number + 1, event.message);
        let annotation = AnnotationKind::Context.span(mark).label(label);
        let known = files.iter().position(|(name, _)| *name == file);
        let index = known.unwrap_or_else(|| {
            files.push((file, Snippet::source(text.as_str()).path(file)));
            files.len() - 1
        });
        let snippet = files[index].1.clone().annotation(annotation);
        files[index].1 = snippet;
    }
    files.into_iter().map(|(_, snippet)| snippet.into()).collect()
}

/// The bytes of a text that a place covers.
fn bytes_of(location: &Location, text: &str) -> Option<Range<usize>> {
    let number = usize::try_from(location.line?).ok()?.checked_sub(1)?;
    let line = text.split_inclusive('\n').nth(number)?;
    let start: usize = text.split_inclusive('\n').take(number).map(str::len).sum();
    let (mark, _) = mark_in(location, line.trim_end_matches(['\n', '\r']))?;
    Some(start + mark.start..start + mark.end)
}

fn loop_line(story: &LoopStory) -> String {
    // The file stands where it is another one than that of the place before.
    let places = std::iter::once(&story.location).chain(&story.called_from);
    let calls: Vec<String> = story
        .called_from
        .iter()
        .zip(places)
        .map(|(call, before)| describe_call(call, before))
        .collect();
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

/// Why an answer is open, with the places.
pub(super) fn undecided(finding: &Finding, texts: &Texts, colour: Colour) -> String {
    let mut text = String::new();
    for (position, cause) in finding.causes.iter().take(SHOWN_CAUSES).enumerate() {
        let whole_file = Location::of_file(&finding.file);
        let element = place(cause.location.as_ref().unwrap_or(&whole_file), texts);
        let mut group = title(cause).element(element);
        if cause.code == codes::NARROW {
            for line in precondition::legend(std::slice::from_ref(&cause.message)) {
                group = group.element(Level::NOTE.message(line));
            }
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
    let (mark, line) = mark_in(location, line)?;
    Some((number, mark, line))
}

/// The bytes of its line that a place covers.
fn mark_in<'a>(location: &Location, line: &'a str) -> Option<(Range<usize>, &'a str)> {
    let skipped = usize::try_from(location.column?).ok()?.saturating_sub(1);
    let byte_of =
        |character: usize| line.char_indices().nth(character).map_or(line.len(), |(byte, _)| byte);
    let length = usize::try_from(location.length.max(1)).ok()?;
    Some((byte_of(skipped)..byte_of(skipped.saturating_add(length)), line))
}
