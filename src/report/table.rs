//! A table of functions, for a program that is entered at several of them.

use super::{Answer, Finding, Report, assumed};
use std::collections::BTreeMap;

/// Longer conditions are cut.
const MOST_CHARACTERS: usize = 60;

/// A function, and what is known of it.
struct Row<'a> {
    /// Its name, with that of its file where there are several.
    name: String,
    findings: Vec<&'a Finding>,
}

impl Row<'_> {
    /// What is refuted comes first, and then what is unknown.
    fn rank(&self) -> u32 {
        let rank = |finding: &&Finding| match finding.answer {
            Answer::Refuted => 0,
            Answer::Unknown => 1,
            Answer::Proved => 2,
        };
        self.findings.iter().map(rank).min().unwrap_or(2)
    }

    /// How many loops and recursions a proof speaks of.
    fn n_loops(&self) -> Option<usize> {
        let proved = self.findings.iter().filter(|it| it.answer == Answer::Proved);
        let of_termination = proved.filter(|it| it.property == "termination");
        let evidence = of_termination.filter_map(|it| it.evidence.as_ref());
        evidence.map(|evidence| evidence.loops.len()).max()
    }

    /// What the first proof with a precondition requires, or else what one takes for granted.
    fn condition(&self) -> String {
        let conditions = self.findings.iter().map(|it| it.precondition.join(", or "));
        let grants = self.findings.iter().any(|it| assumed::is_granted_links(it));
        let links = grants.then(|| "links lead to an end".to_owned());
        let keeps = self.findings.iter().any(|it| assumed::is_granted_types(it));
        let types = keeps.then(|| "callers keep to types".to_owned());
        let mut conditions = conditions.filter(|it| !it.is_empty()).chain(links).chain(types);
        let first = conditions.next().unwrap_or_default();
        if first.chars().count() <= MOST_CHARACTERS {
            return first;
        }
        first.chars().take(MOST_CHARACTERS - 1).chain(['…']).collect()
    }
}

/// The table; nothing, if there are not several functions of one file.
pub(super) fn of_functions(report: &Report) -> String {
    let mut rows: BTreeMap<(usize, &str), Row<'_>> = BTreeMap::new();
    let mut files: Vec<&str> = Vec::new();
    for finding in report.findings.iter().filter(|it| it.accepted.is_none()) {
        let (file, function) = (finding.file.as_str(), finding.entry.as_str());
        if !files.contains(&file) {
            files.push(file);
        }
        let number = files.iter().position(|it| *it == file).unwrap_or_default();
        let row = rows.entry((number, function));
        row.or_insert_with(|| Row { name: function.to_owned(), findings: Vec::new() })
            .findings
            .push(finding);
    }
    if rows.len() <= files.len() {
        return String::new();
    }
    if files.len() > 1 {
        for ((number, function), row) in &mut rows {
            row.name = format!("{}:{function}", files[*number]);
        }
    }
    let mut rows: Vec<Row<'_>> = rows.into_values().collect();
    rows.sort_by_key(Row::rank);
    let mut lines = vec![head(&rows)];
    lines.extend(rows.iter().map(line));
    aligned(&lines) + "\n"
}

fn head(rows: &[Row<'_>]) -> Vec<String> {
    let longest = rows.iter().max_by_key(|row| row.findings.len());
    let properties =
        longest.iter().flat_map(|row| row.findings.iter().map(|it| it.property.clone()));
    let words = |words: [&str; 2]| words.map(str::to_owned);
    let first = std::iter::once("function".to_owned());
    first.chain(properties).chain(words(["loops", "if"])).collect()
}

fn line(row: &Row<'_>) -> Vec<String> {
    let answers = row.findings.iter().map(|finding| match finding.causes.first() {
        Some(cause) => format!("{} {}", finding.answer.word(), cause.code),
        None => finding.answer.word().to_owned(),
    });
    let n_loops = row.n_loops().map_or_else(String::new, |number| number.to_string());
    std::iter::once(row.name.clone()).chain(answers).chain([n_loops, row.condition()]).collect()
}

/// The columns below each other.
fn aligned(lines: &[Vec<String>]) -> String {
    let n_columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths);
        let cells: Vec<String> =
            cells.map(|(cell, width)| format!("{cell:<width$}", width = *width)).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}
