//! A line a remark, as compilers write them, for editors and for scripts that read lines.

use super::{Place, Remark, Weight, of_problems};
use crate::{Finding, Report};

/// The lines of an answer: none of a proof, nor of what is accepted.
#[must_use]
pub fn lines(finding: &Finding) -> String {
    Remark::of_finding(finding).map_or_else(String::new, |it| lines_of(&it))
}

/// The lines that follow the answers: files that were not read, and warnings.
#[must_use]
pub fn closing(report: &Report) -> String {
    of_problems(report).map(|it| lines_of(&it)).collect()
}

fn lines_of(remark: &Remark<'_>) -> String {
    let word = match remark.weight {
        Weight::Error => "error",
        Weight::Warning => "warning",
    };
    let code = match remark.finding {
        Some(_) => format!(" [{}]", remark.rule),
        None => String::new(),
    };
    let mut text = line(remark.place, word, &format!("{}{code}", remark.message));
    for sentence in &remark.run {
        text.push_str(&line(remark.place, "note", sentence));
    }
    for (place, cause) in &remark.more {
        text.push_str(&line(*place, "note", &format!("{} [{}]", cause.message, cause.code)));
    }
    text
}

/// One line, whatever the file is called and the message says.
fn line(place: Place<'_>, word: &str, message: &str) -> String {
    let Place { file, line, column, .. } = place;
    format!("{file}:{line}:{column}: {word}: {message}").replace(['\n', '\r'], " ") + "\n"
}
