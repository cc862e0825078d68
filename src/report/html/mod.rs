//! A page for a browser: one file that needs nothing else, and no script.

mod graph;
mod index;
mod source;

use super::markup::text as escape;
use super::run::{Event, EventKind, Weight};
use super::{
    Answer, Cause, Colour, Evidence, Finding, Location, LoopInvariant, LoopStory, Problem, Report,
    Texts, assumed, claim, codes, human, precondition,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const STYLE: &str = include_str!("style.css");

/// The head of all arrows of the page.
const ARROW: &str = "<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><marker id=\"arrow\" \
    viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
    orient=\"auto-start-reverse\"><path class=\"head\" d=\"M0 0 8 4 0 8z\"/></marker></defs></svg>\n";

/// What the formulas of the page mean: signs, and their meanings.
const SIGNS: [(&str, &str); 13] = [
    (
        "ls[k](x, y)",
        "a list of k cells from x, whose last one links to y; other shapes are named alike, \
        and wane shapes lists them. Behind a name, ..0 says that the text in its cells ends with a zero",
    ),
    (
        "ls[k](x, 0) { 8: v' at w' }",
        "each cell holds a value v' of its own, 8 bytes behind its start; w' cells \
        come before it",
    ),
    (
        "p |-> { 8: e; 0 }:24",
        "p leads to a block of 24 bytes, which holds e at byte 8, and zeros elsewhere; \
        without a zero, nothing is known of the rest",
    ),
    (
        "[0 <= i < n]*8 { 0: v' }",
        "the elements of 8 bytes with the numbers from 0 to n - 1 hold such values; \
        this i is no variable of the program",
    ),
    (
        "[0 <= i < n]*8 + 0: ls or null",
        "the pointers in them lead to lists of their own, or are null",
    ),
    ("emp", "no memory"),
    ("*", "joins parts of memory that are apart; between numbers, a product"),
    ("\u{2227}", "and"),
    (
        "k, n', v', a', u'",
        "values that no variable holds: how many cells, numbers, values in each cell, \
        addresses, values of which nothing is known; $ begins the name of what only the analysis remembers",
    ),
    ("length(x)", "how many cells the structure at x has"),
    ("bytes(p)", "how many bytes of its object lie from p on"),
    (
        "size(p), offset(p), end(p)",
        "the bytes of the object that p leads into, how far in, and where the text \
        in it ends",
    ),
    (
        "(e, f), e | f, <e, f>, {e, f}",
        "measures: e gets smaller, or stays and f gets smaller; by cases; in phases, \
        e until it is negative; one of these between any two times",
    ),
];

fn legend_of_signs() -> String {
    let mut text =
        "<section class=\"legend\">\n<details><summary>What formulas mean</summary>\n<dl>\n"
            .to_owned();
    for (sign, meaning) in SIGNS {
        let _ =
            writeln!(text, "<dt><code>{}</code></dt><dd>{}</dd>", escape(sign), escape(meaning));
    }
    text + "</dl></details>\n</section>\n"
}

/// The way from an answer to the list of all.
const BACK: &str = "<p class=\"of\"><a href=\"#all\">all answers</a></p>\n";

/// More abstract states of one loop than this are not shown.
const SHOWN_STATES: usize = 12;

/// A report as a page.
#[must_use]
pub fn render(report: &Report, texts: &Texts) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{tool}: {summary}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#answers\">Skip to the answers</a>\n{ARROW}<header><h1>{tool}</h1>\n<p>{summary}</p></header>\n",
        tool = escape(report.tool),
        summary = escape(&human::summary(report)),
    );
    page.push_str(&index::render(report));
    page.push_str("<main id=\"answers\" tabindex=\"-1\">\n");
    let is_listed = !index::is_needless(report);
    for number in index::order(report) {
        page.push_str(&section(number, &report.findings[number]));
        if is_listed {
            page.push_str(BACK);
        }
        page.push_str("</section>\n");
    }
    for (number, problem) in report.problems.iter().enumerate() {
        page.push_str(&problem_section(number, problem, texts));
    }
    page.push_str(&source::render(report, texts));
    page.push_str(&meanings(report));
    page.push_str(&legend_of_signs());
    let _ = writeln!(
        page,
        "</main>\n<footer>{} {}</footer>\n</body>\n</html>",
        escape(report.tool),
        escape(report.version)
    );
    page
}

/// An answer, without the end of its section.
fn section(number: usize, finding: &Finding) -> String {
    let word = finding.answer.word();
    let sentence = match finding.answer {
        Answer::Proved => finding.reason.clone(),
        Answer::Refuted => human::offence(finding),
        Answer::Unknown => {
            format!("whether {}", claim(&finding.property, &finding.entry))
        }
    };
    let mut text = format!(
        "<section class=\"answer {word}\" id=\"answer{number}\">\n<h2><b class=\"{word}\">{word}</b> \
         {}</h2>\n<p class=\"of\"><span class=\"path\">{}</span> \u{b7} {}</p>\n",
        prose(&sentence),
        escape(&finding.file),
        escape(&finding.property),
    );
    if finding.accepted.is_some() {
        text.push_str("<p class=\"of\">accepted by the user</p>\n");
    }
    for cause in &finding.causes {
        text.push_str(&cause_line(cause, &finding.file));
        if cause.code == codes::NARROW {
            for line in precondition::legend(std::slice::from_ref(&cause.message)) {
                let _ = writeln!(text, "<p class=\"of\">{}</p>", prose(line));
            }
        }
    }
    if let Some(evidence) = &finding.evidence {
        text.push_str(&functions(evidence, &finding.file));
        for line in evidence.run_lines().unwrap_or_default() {
            let _ = writeln!(text, "<p>{}</p>", prose(&line));
        }
        text.push_str(&steps(number, evidence.path(), &finding.file));
    }
    if !finding.assumptions.is_empty() {
        let assumed = finding.assumptions.join(", and ");
        let _ = writeln!(text, "<p class=\"assuming\">assuming that {}</p>", prose(&assumed));
    }
    for line in assumed::lines(finding) {
        let _ = writeln!(text, "<p class=\"assuming\">{}</p>", prose(&line));
    }
    text
}

/// What the codes of the page mean.
fn meanings(report: &Report) -> String {
    let causes = report.findings.iter().flat_map(|it| it.causes.iter().chain(&it.assumes));
    let used: BTreeSet<&str> = causes.map(|cause| cause.code).collect();
    let pages: Vec<_> = used.into_iter().filter_map(codes::find).collect();
    if pages.is_empty() {
        return String::new();
    }
    let mut text = "<section class=\"legend\">\n<h2>What codes mean</h2>\n<dl>\n".to_owned();
    for page in pages {
        let _ = writeln!(
            text,
            "<dt id=\"code-{0}\"><code>{0}</code> {1}</dt><dd>{2}</dd>",
            page.code,
            prose(page.title()),
            prose(page.summary()),
        );
    }
    text + "</dl>\n</section>\n"
}

fn cause_line(cause: &Cause, about: &str) -> String {
    let place = cause.location.as_ref();
    let place = place.map(|it| format!(": {}", link(it, about))).unwrap_or_default();
    format!(
        "<p class=\"cause\"><a href=\"#code-{0}\"><code>{0}</code></a> {1}{place}</p>\n",
        cause.code,
        prose(&cause.message)
    )
}

/// A place as a link to its line on the page; in the file that the answer is about, by
/// line and column only.
fn link(place: &Location, about: &str) -> String {
    let text = match (place.line, place.column) {
        (Some(line), Some(column)) if place.file == about => format!("{line}:{column}"),
        _ => place.describe(),
    };
    match place.line {
        Some(line) => {
            let id = line_id(&place.file, line);
            format!("<a class=\"path\" href=\"#{id}\">{}</a>", escape(&text))
        }
        None => format!("<span class=\"path\">{}</span>", escape(&text)),
    }
}

/// A name for a step of the run of an answer.
fn step_id(answer: usize, position: usize) -> String {
    format!("answer{answer}-step{}", position + 1)
}

/// A name for a line that may stand in a link.
fn line_id(file: &str, line: u32) -> String {
    let plain = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
    format!("{}-{line}", file.chars().map(plain).collect::<String>())
}

/// Each function with its loops: what gets smaller, and what holds.
fn functions(evidence: &Evidence, about: &str) -> String {
    let mut by_function: BTreeMap<&str, (Vec<&LoopStory>, Vec<&LoopInvariant>)> = BTreeMap::new();
    for story in &evidence.loops {
        by_function.entry(&story.function).or_default().0.push(story);
    }
    for invariant in &evidence.invariants {
        by_function.entry(&invariant.function).or_default().1.push(invariant);
    }
    let mut text = String::new();
    for (function, (stories, invariants)) in by_function {
        let _ = writeln!(text, "<h3><code>{}</code></h3>\n<ul class=\"loops\">", escape(function));
        for story in stories {
            text.push_str(&story_item(story, about));
        }
        for invariant in invariants {
            text.push_str(&invariant_item(invariant, about));
        }
        text.push_str("</ul>\n");
    }
    if let Some(story) = &evidence.agreement {
        let formula = escape(&story.agreement);
        let _ = writeln!(
            text,
            "<p>The other threads keep to the agreement <code>{formula}</code>.</p>"
        );
        for step in &story.steps {
            let _ = writeln!(text, "<p>{}</p>", prose(step));
        }
    }
    text
}

fn story_item(story: &LoopStory, about: &str) -> String {
    let kind = match story.kind {
        super::Repetition::Loop => "loop",
        super::Repetition::Recursion => "recursion",
    };
    let calls: Vec<String> = story.called_from.iter().map(|it| link(it, about)).collect();
    let calls = if calls.is_empty() {
        String::new()
    } else {
        format!(" (called from {})", calls.join(", "))
    };
    let relations = story.relations.iter().map(|it| prose(it));
    let relations: Vec<String> = relations.collect();
    format!(
        "<li class=\"loop\"><b class=\"proved\">ends</b> {kind} at {}{calls}: {}\
         <details><summary>formula</summary>measure <code>{}</code><br>where {}</details></li>\n",
        link(&story.location, about),
        prose(&story.explanation),
        escape(&story.measure),
        relations.join("<br>or "),
    )
}

fn invariant_item(invariant: &LoopInvariant, about: &str) -> String {
    let n_states = invariant.states.len();
    let mut text = format!(
        "<li class=\"states\"><details><summary>at the loop at {}: {}</summary>\n<ul>\n",
        link(&invariant.location, about),
        if n_states == 1 { "one state".to_owned() } else { format!("one of {n_states} states") },
    );
    for state in invariant.states.iter().take(SHOWN_STATES) {
        let parts: Vec<String> =
            state.split(" & ").map(|part| format!("<code>{}</code>", escape(part))).collect();
        let _ = writeln!(text, "<li>{}</li>", parts.join(" \u{2227} "));
    }
    if let Some(more @ 1..) = n_states.checked_sub(SHOWN_STATES) {
        let _ = writeln!(text, "<li>and {more} more</li>");
    }
    text.push_str("</ul></details></li>\n");
    text
}

/// The events of a run, with memory as it is after each.
fn steps(number: usize, path: &[Event], about: &str) -> String {
    if path.is_empty() {
        return String::new();
    }
    let mut text = "<ol class=\"steps\">\n".to_owned();
    for (position, event) in path.iter().enumerate() {
        let class = match (event.kind, event.weight) {
            (EventKind::Error, _) => "error",
            (EventKind::Cycle, _) => "cycle",
            (_, Weight::Main) => "main",
            (_, Weight::Minor) => "minor",
        };
        let _ = write!(
            text,
            "<li class=\"{class}\" id=\"{}\">{} <span class=\"place\">{}</span>",
            step_id(number, position),
            prose(&event.message),
            link(&event.location, about),
        );
        if let Some(picture) = event.heap.as_ref().and_then(graph::svg) {
            let is_last = position + 1 == path.len();
            let open = if is_last { " open" } else { "" };
            let _ = write!(
                text,
                "\n<details{open}><summary>memory</summary><figure tabindex=\"0\">{picture}</figure>\
                 </details>"
            );
        }
        text.push_str("</li>\n");
    }
    text.push_str("</ol>\n");
    text
}

fn problem_section(number: usize, problem: &Problem, texts: &Texts) -> String {
    let shown = human::problems(std::slice::from_ref(problem), texts, Colour::Off);
    format!(
        "<section class=\"answer problem\" id=\"problem{number}\">\n<h2><b class=\"problem\">not read</b> {}</h2>\n\
         <pre tabindex=\"0\">{}</pre>\n</section>\n",
        escape(&problem.location.file),
        escape(&shown)
    )
}

/// A text in which what stands in backticks is code.
fn prose(text: &str) -> String {
    let mut shown = String::new();
    for (position, part) in text.split('`').enumerate() {
        let part = escape(part);
        if position % 2 == 1 {
            let _ = write!(shown, "<code>{part}</code>");
        } else {
            shown.push_str(&part);
        }
    }
    shown
}
