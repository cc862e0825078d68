//! A table of functions, for a program that is entered at several of them.

use super::{Answer, Finding, Report, assumed};
use std::collections::BTreeMap;

/// Longer conditions are cut.
const MOST_CHARACTERS: usize = 60;

/// What is known of each function, the worst first.
pub(super) struct Table<'a> {
    /// The questions, in the order in which they are asked.
    pub(super) questions: Vec<Question<'a>>,
    /// The functions.
    pub(super) rows: Vec<Row<'a>>,
    /// Whether they are more than their files.
    is_of_functions: bool,
}

/// A property, and the formula or file that goes with it.
pub(super) type Question<'a> = (&'a str, Option<&'a str>);

fn question(finding: &Finding) -> Question<'_> {
    (&finding.property, finding.argument.as_deref())
}

/// What stands above the answers to a question.
pub(super) fn title<'a>((property, argument): Question<'a>) -> &'a str {
    argument.unwrap_or(property)
}

/// A function, and what is known of it.
pub(super) struct Row<'a> {
    /// Its name, with that of its file where there are several.
    pub(super) name: String,
    /// The answers, with their positions in the report.
    findings: Vec<(usize, &'a Finding)>,
    /// The questions whose answers are accepted.
    accepted: Vec<Question<'a>>,
}

impl Row<'_> {
    /// The answer to a question, with its position in the report.
    pub(super) fn answer(&self, asked: Question<'_>) -> Option<(usize, &Finding)> {
        self.findings.iter().find(|(_, it)| question(it) == asked).copied()
    }

    fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().map(|(_, finding)| *finding)
    }
}

impl Row<'_> {
    /// What is refuted comes first, and then what is unknown.
    pub(super) fn rank(&self) -> u32 {
        let rank = |finding: &Finding| match finding.answer {
            Answer::Refuted => 0,
            Answer::Unknown => 1,
            Answer::Proved => 2,
        };
        self.findings().map(rank).min().unwrap_or(2)
    }

    /// How many loops and recursions a proof speaks of.
    pub(super) fn n_loops(&self) -> Option<usize> {
        let proved = self.findings().filter(|it| it.answer == Answer::Proved);
        let of_termination = proved.filter(|it| it.property == "termination");
        let evidence = of_termination.filter_map(|it| it.evidence.as_ref());
        evidence.map(|evidence| evidence.loops.len()).max()
    }

    /// What the first proof with a precondition requires, or else what one takes for granted.
    pub(super) fn condition(&self) -> String {
        let conditions = self.findings().map(|it| it.precondition.join(", or "));
        let grants = self.findings().any(assumed::is_granted_links);
        let links = grants.then(|| "links lead to an end".to_owned());
        let keeps = self.findings().any(assumed::is_granted_types);
        let types = keeps.then(|| "callers keep to types".to_owned());
        let mut conditions = conditions.filter(|it| !it.is_empty()).chain(links).chain(types);
        let first = conditions.next().unwrap_or_default();
        if first.chars().count() <= MOST_CHARACTERS {
            return first;
        }
        first.chars().take(MOST_CHARACTERS - 1).chain(['…']).collect()
    }
}

/// The table of all functions of a report.
pub(super) fn of(report: &Report) -> Table<'_> {
    // A file that is compiled twice has its functions twice.
    let mut rows: BTreeMap<(usize, &str, usize), Row<'_>> = BTreeMap::new();
    let mut count: BTreeMap<(usize, &str, Question<'_>), usize> = BTreeMap::new();
    let (mut files, mut questions) = (Vec::new(), Vec::new());
    for finding in &report.findings {
        number_in(&mut questions, question(finding));
    }
    let shown = report.findings.iter().enumerate().filter(|(_, it)| it.accepted.is_none());
    for (position, finding) in shown {
        let (file, function) = (finding.file.as_str(), finding.entry.as_str());
        let number = number_in(&mut files, file);
        let again = count.entry((number, function, question(finding))).or_default();
        let row = rows.entry((number, function, *again));
        *again += 1;
        let name = function.to_owned();
        row.or_insert_with(|| Row { name, findings: Vec::new(), accepted: Vec::new() })
            .findings
            .push((position, finding));
    }
    for finding in report.findings.iter().filter(|it| it.accepted.is_some()) {
        let file = files.iter().position(|it| *it == finding.file);
        let row = file.and_then(|it| rows.get_mut(&(it, finding.entry.as_str(), 0)));
        if let Some(row) = row {
            row.accepted.push(question(finding));
        }
    }
    let n_functions = rows.keys().filter(|(_, _, again)| *again == 0).count();
    let is_of_functions = n_functions > files.len();
    if files.len() > 1 {
        for ((number, function, _), row) in &mut rows {
            row.name = format!("{}:{function}", files[*number]);
        }
    }
    let mut rows: Vec<Row<'_>> = rows.into_values().collect();
    rows.sort_by_key(Row::rank);
    Table { questions, rows, is_of_functions }
}

/// The position of a name in a list, which has it at the end if it was not there.
fn number_in<T: PartialEq>(names: &mut Vec<T>, name: T) -> usize {
    names.iter().position(|it| *it == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

/// The table as text; nothing, if there are not several functions of one file.
pub(super) fn of_functions(report: &Report) -> String {
    let table = of(report);
    if !table.is_of_functions {
        return String::new();
    }
    let words = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let titles: Vec<&str> = table.questions.iter().map(|it| title(*it)).collect();
    let head = [words(&["function"]), words(&titles), words(&["loops", "if"])].concat();
    let mut lines = vec![head];
    lines.extend(table.rows.iter().map(|row| line(row, &table.questions)));
    aligned(&lines) + "\n"
}

fn line(row: &Row<'_>, questions: &[Question<'_>]) -> Vec<String> {
    let answers = questions.iter().map(|asked| match row.answer(*asked) {
        Some((_, finding)) => summary(finding),
        None if row.accepted.contains(asked) => "accepted".to_owned(),
        None => String::new(),
    });
    let n_loops = row.n_loops().map_or_else(String::new, |number| number.to_string());
    std::iter::once(row.name.clone()).chain(answers).chain([n_loops, row.condition()]).collect()
}

/// An answer in two words: what it is, and the code of the first reason.
pub(super) fn summary(finding: &Finding) -> String {
    match finding.causes.first() {
        Some(cause) => format!("{} {}", finding.answer.word(), cause.code),
        None => finding.answer.word().to_owned(),
    }
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
