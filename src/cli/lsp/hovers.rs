//! What is shown at the name of a function, and at the first word of a loop.

use super::answers::{Answers, is_named};
use super::positions::{Carried, Encoding, line_of};
use super::verdicts;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Range};
use report::{Answer, Finding, LoopStory, assumed};
use std::fmt::Write as _;
use std::path::Path;

/// A document as it is in the editor, and a position in it.
pub(super) struct Spot<'a> {
    /// The file.
    pub(super) path: &'a Path,
    /// The text.
    pub(super) text: &'a str,
    /// The position.
    pub(super) position: Position,
    /// What its columns count.
    pub(super) encoding: Encoding,
}

/// What is known of the word at a position.
pub(super) fn of(answers: &Answers, spot: &Spot<'_>, carried: Carried) -> Option<Hover> {
    let line = line_of(spot.text, spot.position.line as usize)?;
    let (start, word) = word_at(line, spot.encoding.byte(line, spot.position.character))?;
    let column = |byte: usize| spot.encoding.column(line, line[..byte].chars().count());
    let at = |byte| Position::new(spot.position.line, column(byte));
    let range = Range::new(at(start), at(start + word.len()));
    let is_here = |story: &&LoopStory| {
        let place = spot.encoding.range(&story.location, &answers.texts);
        is_named(&story.location.file, spot.path)
            && carried.range(place).is_some_and(|place| place.start == range.start)
    };
    let stories: Vec<&LoopStory> = verdicts::stories(answers).into_iter().filter(is_here).collect();
    let findings = answers.about(word);
    let text = match (&stories[..], &findings[..]) {
        ([], []) => return None,
        ([], findings) => function(word, findings),
        ([story, ..], _) => repetition(story),
    };
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: text };
    Some(Hover { contents: HoverContents::Markup(contents), range: Some(range) })
}

/// The word of a line that holds a byte, or ends there, and where it begins.
fn word_at(line: &str, byte: usize) -> Option<(usize, &str)> {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let (before, after) = (line.get(..byte)?, line.get(byte..)?);
    let start = byte
        - before.chars().rev().take_while(|it| is_part(*it)).map(char::len_utf8).sum::<usize>();
    let end = byte + after.chars().take_while(|it| is_part(*it)).map(char::len_utf8).sum::<usize>();
    line.get(start..end).filter(|word| !word.is_empty()).map(|word| (start, word))
}

/// All answers about a function.
fn function(name: &str, findings: &[&Finding]) -> String {
    let mut text = format!("**{}**\n", code(name));
    for finding in findings {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n- **{}**", verdicts::verdict(finding));
        let why = match finding.answer {
            Answer::Proved => String::new(),
            Answer::Refuted | Answer::Unknown => finding.reason.clone(),
        };
        if !why.is_empty() {
            let _ = write!(text, ": {why}");
        }
        for line in details(finding) {
            let _ = write!(text, "\n  - {line}");
        }
    }
    text.push('\n');
    text
}

/// What a proof asks of callers and takes for granted, a line each.
fn details(finding: &Finding) -> Vec<String> {
    let mut lines = Vec::new();
    if !finding.precondition.is_empty() {
        let conditions: Vec<String> = finding.precondition.iter().map(|it| code(it)).collect();
        lines.push(format!("if {}", conditions.join(", or if ")));
    }
    if let Some(scope) = finding.scope {
        lines.push(format!("scope: {scope}"));
    }
    if !finding.assumptions.is_empty() {
        lines.push(format!("assuming that {}", finding.assumptions.join(", and ")));
    }
    lines.extend(assumed::lines(finding));
    lines
}

/// Why a loop or a recursion ends.
fn repetition(story: &LoopStory) -> String {
    let mut text = format!("{}\n", verdicts::measure(story));
    for (position, relation) in story.relations.iter().enumerate() {
        let word = if position == 0 { "where" } else { "or" };
        let _ = write!(text, "\n- {word} {relation}");
    }
    text
}

/// A text that Markdown shows as it is.
fn code(text: &str) -> String {
    // One that holds the mark itself stands between two of them.
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::word_at;

    #[test]
    fn words_are_found_from_within_and_from_their_ends() {
        let line = "  ret_1(\u{e4}x);";
        for byte in 2..=7 {
            assert_eq!(word_at(line, byte), Some((2, "ret_1")), "{byte}");
        }
        assert_eq!(word_at(line, 8), Some((8, "\u{e4}x")));
        assert_eq!([1, 12, 13, 99].map(|byte| word_at(line, byte)), [None; 4]);
        assert_eq!(word_at(line, 9), None, "inside a character");
    }
}
