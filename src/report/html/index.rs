//! The first part of the page: each function with its answers, the worst first.

use super::super::table::{self, Question, Row, Table};
use super::super::{Finding, Problem, Report};
use super::escape;
use std::fmt::Write as _;

/// A table with a link in each cell, and what leaves rows out: by the style alone, without a
/// script. Nothing, where there is one answer only.
pub(super) fn render(report: &Report) -> String {
    if is_needless(report) {
        return String::new();
    }
    let table = table::of(report);
    let mut text = "<nav id=\"all\" aria-label=\"Answers\">\n".to_owned();
    if !table.rows.is_empty() {
        text.push_str(&filter(&table));
    }
    text.push_str("<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">function</th>");
    for asked in &table.questions {
        let _ = write!(text, "<th scope=\"col\">{}</th>", escape(table::title(*asked)));
    }
    text.push_str("<th scope=\"col\">loops</th><th scope=\"col\">if</th></tr></thead>\n<tbody>\n");
    for row in &table.rows {
        text.push_str(&line(row, &table.questions));
    }
    text.push_str("</tbody>\n</table></div>\n");
    text.push_str(&unread(&report.problems));
    text + "</nav>\n"
}

/// Whether there is one answer only.
pub(super) fn is_needless(report: &Report) -> bool {
    report.findings.len() + report.problems.len() < 2
}

/// The numbers of the answers in the order of the table.
pub(super) fn order(report: &Report) -> Vec<usize> {
    let table = table::of(report);
    let cells = table.rows.iter().flat_map(|row| {
        table.questions.iter().filter_map(|asked| row.answer(*asked).map(|(position, _)| position))
    });
    let mut order: Vec<usize> = cells.collect();
    // Of what is asked twice a cell has one.
    let others = (0..report.findings.len()).filter(|it| !order.contains(it));
    let others: Vec<usize> = others.collect();
    order.extend(others);
    order
}

/// The words of the ranks of rows.
const RANKS: [&str; 3] = ["refuted", "unknown", "proved"];

fn word(row: &Row<'_>) -> &'static str {
    let rank = usize::try_from(row.rank()).unwrap_or(RANKS.len());
    RANKS.get(rank).copied().unwrap_or("proved")
}

/// A box for each kind of row that there is.
fn filter(table: &Table<'_>) -> String {
    let mut text = "<fieldset><legend>show</legend>".to_owned();
    for kind in RANKS {
        let number = table.rows.iter().filter(|row| word(row) == kind).count();
        if number > 0 {
            let _ = write!(
                text,
                "<label><input type=\"checkbox\" checked class=\"show-{kind}\"> {kind} ({number})</label> "
            );
        }
    }
    text + "</fieldset>\n"
}

fn line(row: &Row<'_>, questions: &[Question<'_>]) -> String {
    let mut text = format!(
        "<tr class=\"{}\"><th class=\"path\" scope=\"row\">{}</th>",
        word(row),
        escape(&row.name)
    );
    for asked in questions {
        match row.answer(*asked) {
            Some((position, finding)) => text.push_str(&cell(position, finding)),
            None => text.push_str("<td></td>"),
        }
    }
    let n_loops = row.n_loops().map_or_else(String::new, |number| number.to_string());
    let _ = writeln!(text, "<td>{n_loops}</td><td>{}</td></tr>", escape(&row.condition()));
    text
}

fn cell(position: usize, finding: &Finding) -> String {
    let word = finding.answer.word();
    let text = escape(&table::summary(finding));
    format!("<td><a class=\"{word}\" href=\"#answer{position}\">{text}</a></td>")
}

fn unread(problems: &[Problem]) -> String {
    if problems.is_empty() {
        return String::new();
    }
    let mut text = "<ul>\n".to_owned();
    for (number, problem) in problems.iter().enumerate() {
        let _ = writeln!(
            text,
            "<li><a href=\"#problem{number}\"><b class=\"problem\">not read</b> {}</a></li>",
            escape(&problem.location.file),
        );
    }
    text + "</ul>\n"
}
