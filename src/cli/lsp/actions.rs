//! What can be done about a diagnostic: accept it by a comment or in the baseline, or have its
//! code explained.

use super::answers::{Answers, is_named};
use super::diagnostics::SOURCE;
use super::positions::{Carried, Encoding, line_of};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Command, Diagnostic, NumberOrString, Position,
    Range, TextEdit, Uri, WorkspaceEdit,
};
use report::{Answer, Finding, Location};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The command that explains a code.
pub(super) const EXPLAIN: &str = "wane.explain";

/// The command that adds to the baseline what a diagnostic says: of a document, a line, from 0 on,
/// and a code.
pub(super) const ACCEPT: &str = "wane.accept";

/// The command for a code.
pub(super) fn explain(code: &str) -> Command {
    let arguments = Some(vec![json!(code)]);
    Command { title: format!("Explain {code}"), command: EXPLAIN.to_owned(), arguments }
}

/// A document as it is in the editor.
pub(super) struct Sheet<'a> {
    /// Its name.
    pub(super) uri: &'a Uri,
    /// The file.
    pub(super) path: &'a Path,
    /// The text.
    pub(super) text: &'a str,
    /// What columns count.
    pub(super) encoding: Encoding,
}

/// What can be done about a diagnostic of this program.
pub(super) fn of(
    diagnostic: &Diagnostic,
    known: Option<(&Answers, Carried)>,
    sheet: &Sheet<'_>,
) -> Vec<CodeActionOrCommand> {
    let Some(NumberOrString::String(code)) = &diagnostic.code else { return Vec::new() };
    if diagnostic.source.as_deref() != Some(SOURCE) {
        return Vec::new();
    }
    let action = |title: String| CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic.clone()]),
        ..CodeAction::default()
    };
    let own = (diagnostic.range.start.line, code.clone());
    let allowed = match known {
        Some((answers, carried)) => allowed(&own, answers, carried, sheet),
        None => Some(BTreeSet::from([own.clone()])),
    };
    let mut actions = Vec::new();
    if let Some(allowed) = allowed {
        actions.push(CodeAction { edit: Some(edit(&allowed, sheet)), ..action(title(&allowed)) });
        if let Some(edit) =
            known.and_then(|(answers, carried)| in_function(&allowed, answers, carried, sheet))
        {
            let title = format!("Allow {} in this function", codes_of(&allowed));
            actions.push(CodeAction { edit: Some(edit), ..action(title) });
        }
    }
    if known.is_some_and(|(answers, _)| answers.baseline.is_some()) {
        let title = "Add to the baseline".to_owned();
        let arguments = Some(vec![json!(sheet.uri), json!(own.0), json!(code)]);
        let command = Command { title: title.clone(), command: ACCEPT.to_owned(), arguments };
        actions.push(CodeAction { command: Some(command), ..action(title) });
    }
    let command = explain(code);
    actions.push(CodeAction { command: Some(command.clone()), ..action(command.title) });
    actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
}

/// Lines, and the codes that are accepted there.
type Allowed = BTreeSet<(u32, String)>;

/// The codes, each once.
fn codes_of(allowed: &Allowed) -> String {
    let codes: BTreeSet<&str> = allowed.iter().map(|(_, code)| code.as_str()).collect();
    Vec::from_iter(codes).join(", ")
}

fn title(allowed: &Allowed) -> String {
    let lines: BTreeSet<u32> = allowed.iter().map(|(line, _)| *line).collect();
    let codes = codes_of(allowed);
    match lines.len() {
        1 => format!("Allow {codes} on this line"),
        number => format!("Allow {codes} on {number} lines"),
    }
}

/// The line of a document, from 0 on, that a place is in now.
fn line_now(place: &Location, carried: Carried, sheet: &Sheet<'_>) -> Option<u32> {
    let line = place.line.filter(|_| is_named(&place.file, sheet.path))?;
    carried.line(line.saturating_sub(1))
}

/// The answers, no proofs, that are shown at a line of a document and have this code as their first
/// reason's.
pub(super) fn meant<'a>(
    (line, code): &'a (u32, String),
    answers: &'a Answers,
    carried: Carried,
    sheet: &'a Sheet<'_>,
) -> impl Iterator<Item = &'a Finding> {
    let open = answers.report.findings.iter().filter(|it| it.answer != Answer::Proved);
    let with_code = open.filter(move |it| it.causes.first().is_some_and(|it| it.code == *code));
    with_code.filter(move |it| line_now(&answers.place_of(it), carried, sheet) == Some(*line))
}

/// All that must be accepted so that the answers with this first reason are; nothing, if that
/// cannot be said in this document.
fn allowed(
    own: &(u32, String),
    answers: &Answers,
    carried: Carried,
    sheet: &Sheet<'_>,
) -> Option<Allowed> {
    let mut allowed = BTreeSet::from([own.clone()]);
    for finding in meant(own, answers, carried, sheet) {
        for cause in &finding.causes {
            // A reason without a place cannot be accepted.
            let line = line_now(cause.location.as_ref()?, carried, sheet)?;
            allowed.insert((line, cause.code.to_owned()));
        }
    }
    Some(allowed)
}

/// A comment above the function that all these lines are in; nothing, if they are not in one.
fn in_function(
    allowed: &Allowed,
    answers: &Answers,
    carried: Carried,
    sheet: &Sheet<'_>,
) -> Option<WorkspaceEdit> {
    let mut starts: Vec<u32> =
        answers.functions.iter().filter_map(|it| line_now(&it.place, carried, sheet)).collect();
    starts.sort_unstable();
    let around = |line: u32| starts.iter().copied().rfind(|start| *start <= line);
    let named = around(allowed.first()?.0)?;
    if allowed.iter().any(|(line, _)| around(*line) != Some(named)) {
        return None;
    }
    let start = head_of(sheet.text, named);
    let at = Position::new(start, 0);
    let new_text = format!("// wane: allow-function({})\n", codes_of(allowed));
    let edits = vec![TextEdit { range: Range::new(at, at), new_text }];
    Some(WorkspaceEdit { changes: Some([(sheet.uri.clone(), edits)].into()), ..Default::default() })
}

/// The line on which the head of a function begins whose name is on this one: its type may stand
/// above it.
fn head_of(text: &str, named: u32) -> u32 {
    let is_type = |number: u32| {
        let line = line_of(text, number as usize).map_or("", str::trim);
        let is_word = line.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
        is_word && line.ends_with(|it: char| it.is_ascii_alphanumeric() || "_*)".contains(it))
    };
    (0..named).rev().take_while(|it| is_type(*it)).last().unwrap_or(named)
}

/// Comments that accept codes on their lines.
fn edit(allowed: &Allowed, sheet: &Sheet<'_>) -> WorkspaceEdit {
    let mut by_line: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for (line, code) in allowed {
        by_line.entry(*line).or_default().push(code);
    }
    let edits = by_line.into_iter().filter_map(|(number, codes)| {
        let line = line_of(sheet.text, number as usize)?;
        let (byte, new_text) = comment(line, &codes);
        let column = sheet.encoding.column(line, line[..byte].chars().count());
        let at = Position::new(number, column);
        Some(TextEdit { range: Range::new(at, at), new_text })
    });
    let changes = Some([(sheet.uri.clone(), edits.collect())].into());
    WorkspaceEdit { changes, ..WorkspaceEdit::default() }
}

/// What is written into a line so that it accepts some codes, and the byte where.
fn comment(line: &str, codes: &[&str]) -> (usize, String) {
    const MARK: &str = "wane: allow(";
    let codes = codes.join(", ");
    let is_comment = |start: &usize| line[..*start].contains("//") || line[..*start].contains("/*");
    let list = line.find(MARK).filter(is_comment).map(|start| start + MARK.len());
    let end = list.and_then(|list| Some((list, list + line[list..].find(')')?)));
    match end {
        Some((list, end)) if line[list..end].trim().is_empty() => (end, codes),
        Some((_, end)) => (end, format!(", {codes}")),
        // A line that goes on behind its end has room for a comment before the mark only.
        None => match line.strip_suffix('\\') {
            Some(before) => (before.trim_end().len(), format!(" /* {MARK}{codes}) */")),
            None => (line.trim_end().len(), format!(" // {MARK}{codes})")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{comment, head_of};

    #[test]
    fn the_head_of_a_function_may_be_several_lines() {
        let text = "int a;\n\nstatic unsigned\nf(void)\n{\n}\nint g(void) { }\n";
        assert_eq!((head_of(text, 3), head_of(text, 6)), (2, 6));
    }

    #[test]
    fn comments_are_added_or_become_longer() {
        let after = |line: &str| {
            let (byte, text) = comment(line, &["W010"]);
            format!("{}{text}{}", &line[..byte], &line[byte..])
        };
        assert_eq!(after("  f();"), "  f(); // wane: allow(W010)");
        assert_eq!(after("f(); // \u{e4}"), "f(); // \u{e4} // wane: allow(W010)");
        assert_eq!(after("f(); // wane: allow(W002)"), "f(); // wane: allow(W002, W010)");
        assert_eq!(after("f(); /* wane: allow() */"), "f(); /* wane: allow(W010) */");
        assert_eq!(after("f(); \\"), "f(); /* wane: allow(W010) */ \\");
        assert_eq!(after("g(\"wane: allow(\");"), "g(\"wane: allow(\"); // wane: allow(W010)");
    }
}
