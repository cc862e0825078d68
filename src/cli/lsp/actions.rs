//! What can be done about a diagnostic: accept it by a comment, or have its code explained.

use super::answers::{Answers, is_named};
use super::diagnostics::SOURCE;
use super::positions::{Carried, Encoding, line_of};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Command, Diagnostic, NumberOrString, Position,
    Range, TextEdit, Uri, WorkspaceEdit,
};
use report::{Answer, Location};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The command that explains a code.
pub(super) const EXPLAIN: &str = "wane.explain";

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
        None => Some(BTreeSet::from([own])),
    };
    let mut actions = Vec::new();
    if let Some(allowed) = allowed {
        actions.push(CodeAction { edit: Some(edit(&allowed, sheet)), ..action(title(&allowed)) });
    }
    let command = explain(code);
    actions.push(CodeAction { command: Some(command.clone()), ..action(command.title) });
    actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
}

/// Lines, and the codes that are accepted there.
type Allowed = BTreeSet<(u32, String)>;

fn title(allowed: &Allowed) -> String {
    let codes: BTreeSet<&str> = allowed.iter().map(|(_, code)| code.as_str()).collect();
    let lines: BTreeSet<u32> = allowed.iter().map(|(line, _)| *line).collect();
    let codes = Vec::from_iter(codes).join(", ");
    match lines.len() {
        1 => format!("Allow {codes} on this line"),
        number => format!("Allow {codes} on {number} lines"),
    }
}

/// All that must be accepted so that the answers with this first reason are; nothing, if that
/// cannot be said in this document.
fn allowed(
    own: &(u32, String),
    answers: &Answers,
    carried: Carried,
    sheet: &Sheet<'_>,
) -> Option<Allowed> {
    let line_of = |place: &Location| {
        let line = place.line.filter(|_| is_named(&place.file, sheet.path))?;
        carried.line(line.saturating_sub(1))
    };
    let mut allowed = BTreeSet::from([own.clone()]);
    for finding in answers.report.findings.iter().filter(|it| it.answer != Answer::Proved) {
        let Some(first) = finding.causes.first().filter(|it| it.code == own.1) else { continue };
        if line_of(&answers.place_of(finding)) != Some(own.0) {
            continue;
        }
        // A reason without a place cannot be accepted.
        first.location.as_ref()?;
        for cause in &finding.causes {
            allowed.insert((line_of(cause.location.as_ref()?)?, cause.code.to_owned()));
        }
    }
    Some(allowed)
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
    use super::comment;

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
