//! Answers that the user has accepted: by a comment on the line, or by a baseline.
//!
//! `wane: allow(W010, W002)` in a comment accepts what these codes say about its
//! line. A baseline lists answers by fingerprint. The verdict stays what it is; an
//! accepted answer is counted, but not shown, and does not make the call fail.

use super::{Answer, Finding, Location, Problem, Report, Texts, codes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Why an answer is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Accepted {
    /// By a comment in the source.
    Comment,
    /// By the baseline.
    Baseline,
}

/// A list of known answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The number of this format: 1.
    pub version: u32,
    /// The answers, in order.
    pub known: Vec<Known>,
}

/// A known answer. Only the fingerprint counts; the rest is for people.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// What it is recognized by.
    pub fingerprint: String,
    /// The file.
    pub file: String,
    /// The property.
    pub property: String,
    /// What it says.
    pub reason: String,
}

impl Baseline {
    /// A list of all answers of the report that are no proofs.
    #[must_use]
    pub fn of_report(report: &Report, texts: &Texts) -> Self {
        let open = report.findings.iter().filter(|finding| finding.answer != Answer::Proved);
        let mut known: Vec<Known> = open
            .map(|finding| Known {
                fingerprint: fingerprint(finding, texts),
                file: finding.file.clone(),
                property: finding.property.clone(),
                reason: finding.reason.clone(),
            })
            .collect();
        known.sort();
        known.dedup();
        Self { version: 1, known }
    }

    /// Reads a list.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(text: &str) -> Result<Self, String> {
        let baseline: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match baseline.version {
            1 => Ok(baseline),
            other => Err(format!("its version is {other}, and only 1 is known")),
        }
    }

    /// The list as text.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Marks the answers of the report that are known.
    pub fn accept(&self, report: &mut Report, texts: &Texts) {
        let known: BTreeSet<&str> = self.known.iter().map(|it| it.fingerprint.as_str()).collect();
        for finding in &mut report.findings {
            let is_open = finding.answer != Answer::Proved && finding.accepted.is_none();
            if is_open && known.contains(fingerprint(finding, texts).as_str()) {
                finding.accepted = Some(Accepted::Baseline);
            }
        }
    }
}

/// A number for the answer that moved lines do not change: it depends on the question,
/// the first reason's code, and the text of the line that this is about.
#[must_use]
pub fn fingerprint(finding: &Finding, texts: &Texts) -> String {
    let first = finding.causes.first();
    let code = first.map_or("", |cause| cause.code);
    let line = first.and_then(|cause| line_of(cause.location.as_ref()?, texts)).unwrap_or_default();
    number(&[finding.file.as_str(), &finding.property, &finding.entry, code, line.trim()])
}

/// A number for texts in this order (FNV-1a).
pub(super) fn number(parts: &[&str]) -> String {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", bytes.fold(0xcbf2_9ce4_8422_2325, step))
}

fn line_of<'a>(place: &Location, texts: &'a Texts) -> Option<&'a str> {
    let number = usize::try_from(place.line?).ok()?.checked_sub(1)?;
    texts.get(&place.file)?.lines().nth(number)
}

/// A comment that accepts a code.
struct Allowance {
    place: Location,
    code: String,
    is_used: bool,
}

/// Marks the answers whose reasons are all accepted by comments on their lines, and
/// adds a warning for each comment that accepts nothing although it was asked.
pub fn apply_comments(report: &mut Report, texts: &Texts) {
    let mut allowances: Vec<Allowance> = texts.iter().flat_map(allowances_of).collect();
    for finding in &mut report.findings {
        if finding.answer == Answer::Proved || finding.causes.is_empty() {
            continue;
        }
        let mut used = Vec::new();
        for cause in &finding.causes {
            let own = allowances.iter().position(|allowance| {
                let place = cause.location.as_ref();
                let here = |it: &Location| {
                    it.file == allowance.place.file && it.line == allowance.place.line
                };
                allowance.code.eq_ignore_ascii_case(cause.code) && place.is_some_and(here)
            });
            used.push(own);
        }
        for index in used.iter().flatten() {
            allowances[*index].is_used = true;
        }
        if used.iter().all(Option::is_some) {
            finding.accepted = Some(Accepted::Comment);
        }
    }
    let asked: BTreeSet<&str> = report.findings.iter().map(|it| it.property.as_str()).collect();
    let unread: BTreeSet<&str> =
        report.problems.iter().map(|it| it.location.file.as_str()).collect();
    let mut warnings = Vec::new();
    for allowance in allowances.iter().filter(|it| !it.is_used) {
        let message = match codes::find(&allowance.code) {
            None => format!("there is no code `{}` to allow", allowance.code),
            Some(page) if is_asked(page.code, &asked) => {
                format!("nothing on this line is {}, so there is nothing to allow", page.code)
            }
            Some(_) => continue,
        };
        if !unread.contains(allowance.place.file.as_str()) {
            warnings.push(Problem { message, location: allowance.place.clone() });
        }
    }
    report.warnings.extend(warnings);
}

/// Whether a question was asked whose answer could have this code.
fn is_asked(code: &str, asked: &BTreeSet<&str>) -> bool {
    match code {
        "W010" => asked.contains("memsafety"),
        "W011" => asked.contains("memcleanup"),
        "W012" => asked.contains("reach"),
        "W030" | "W050" => asked.contains("termination"),
        _ => !asked.is_empty(),
    }
}

const MARK: &str = "wane: allow(";

/// The comments of one file, a code each.
/// Whether a text may have comments that accept answers.
#[must_use]
pub fn has_comments(text: &str) -> bool {
    text.contains(MARK)
}

fn allowances_of((file, text): (&String, &String)) -> Vec<Allowance> {
    let mut found = Vec::new();
    for (number, line) in (1_u32..).zip(text.lines()) {
        let Some(start) = line.find(MARK) else { continue };
        let before = &line[..start];
        let Some((codes, _)) = line[start + MARK.len()..].split_once(')') else { continue };
        if !before.contains("//") && !before.contains("/*") {
            continue;
        }
        let column = u32::try_from(before.chars().count()).unwrap_or(0) + 1;
        for code in codes.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            let length = u32::try_from(MARK.len() + codes.chars().count() + 1).unwrap_or(1);
            let place =
                Location { file: file.clone(), line: Some(number), column: Some(column), length };
            found.push(Allowance { place, code: code.to_owned(), is_used: false });
        }
    }
    found
}
