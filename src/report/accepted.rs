//! Answers that the user has accepted: by a comment ([`comments`](super::comments)), or by a
//! baseline.
//!
//! A baseline lists answers by fingerprint. The verdict stays what it is; an accepted answer is
//! counted, but not shown, and does not make the call fail. Baselines with fingerprints of the
//! second version, in which blanks inside a line counted, are still understood.

use super::{Answer, Finding, Report, Texts};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// Why an answer is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Accepted {
    /// By a comment in the source.
    Comment,
    /// By the baseline.
    Baseline,
}

/// A list of known answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The function, where that is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The property.
    pub property: String,
    /// What it says.
    pub reason: String,
}

impl Default for Baseline {
    fn default() -> Self {
        Self { version: 1, known: Vec::new() }
    }
}

impl Baseline {
    /// A list of all answers of the report that are no proofs.
    #[must_use]
    pub fn of_report(report: &Report, texts: &Texts) -> Self {
        let open = report.findings.iter().filter(|finding| finding.answer != Answer::Proved);
        let mut baseline = Self::default();
        baseline.add(open, texts);
        baseline
    }

    /// Adds answers.
    pub fn add<'a>(&mut self, findings: impl Iterator<Item = &'a Finding>, texts: &Texts) {
        self.known.extend(findings.map(|finding| Known {
            fingerprint: fingerprint(finding, texts),
            file: finding.file.clone(),
            function: Some(finding.entry.clone()),
            property: finding.property.clone(),
            reason: finding.reason.clone(),
        }));
        self.known.sort();
        self.known.dedup();
    }

    /// Reads a list.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(text: &str) -> Result<Self, String> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| format!("this is no JSON: {error}"))?;
        let version = value["version"].as_u64();
        match (version, serde_json::from_value(value)) {
            (Some(1), Ok(baseline)) => Ok(baseline),
            (Some(other @ (0 | 2..)), _) => {
                Err(format!("its version is {other}, and only 1 is known"))
            }
            _ => Err("`wane --write-baseline FILE` writes one".to_owned()),
        }
    }

    /// The list as text.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// How many of the list are none of the report's answers any more, though it answers
    /// these questions about these functions.
    #[must_use]
    pub fn n_stale(&self, report: &Report, texts: &Texts) -> usize {
        let open = report.findings.iter().filter(|finding| finding.answer != Answer::Proved);
        let found: BTreeSet<String> =
            open.flat_map(|it| [fingerprint(it, texts), second_version(it, texts)]).collect();
        let is_asked = |it: &Known| {
            let mut findings = report.findings.iter();
            findings.any(|finding| {
                it.function.as_ref() == Some(&finding.entry)
                    && (&finding.file, &finding.property) == (&it.file, &it.property)
            })
        };
        self.known.iter().filter(|it| is_asked(it) && !found.contains(&it.fingerprint)).count()
    }

    /// Marks the answers of the report that are known.
    pub fn accept(&self, report: &mut Report, texts: &Texts) {
        let known: BTreeSet<&str> = self.known.iter().map(|it| it.fingerprint.as_str()).collect();
        for finding in &mut report.findings {
            let is_open = finding.answer != Answer::Proved && finding.accepted.is_none();
            if is_open
                && (known.contains(fingerprint(finding, texts).as_str())
                    || known.contains(second_version(finding, texts).as_str()))
            {
                finding.accepted = Some(Accepted::Baseline);
            }
        }
    }
}

/// Writes on each answer of the report that is no proof what it is recognized by, for those who
/// read it without the texts.
pub fn recognize(report: &mut Report, texts: &Texts) {
    for finding in report.findings.iter_mut().filter(|it| it.answer != Answer::Proved) {
        finding.fingerprint = Some(fingerprint(finding, texts));
    }
}

/// A number for the answer that moved lines and other blanks do not change: it depends on the
/// question, the first reason's code, and the text of the line that this is about, blanks left
/// out.
#[must_use]
pub fn fingerprint(finding: &Finding, texts: &Texts) -> String {
    let line: String = line_of(finding, texts).split_whitespace().collect();
    number_of(finding, &line)
}

/// What the number was when blanks inside the line counted.
fn second_version(finding: &Finding, texts: &Texts) -> String {
    number_of(finding, line_of(finding, texts).trim())
}

fn number_of(finding: &Finding, line: &str) -> String {
    let code = finding.causes.first().map_or("", |cause| cause.code);
    number(&[finding.file.as_str(), &finding.property, &finding.entry, code, line])
}

/// A number for texts in this order (FNV-1a).
pub(super) fn number(parts: &[&str]) -> String {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", bytes.fold(0xcbf2_9ce4_8422_2325, step))
}

/// The line that the first reason is about.
fn line_of<'a>(finding: &Finding, texts: &'a Texts) -> &'a str {
    let line = || {
        let place = finding.causes.first()?.location.as_ref()?;
        let number = usize::try_from(place.line?).ok()?.checked_sub(1)?;
        texts.get(&place.file)?.lines().nth(number)
    };
    line().unwrap_or_default()
}
