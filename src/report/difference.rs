//! What has changed from one report to a later one.
//!
//! Answers are about the same if their question, function and file are the same, wherever that
//! stands in it. What is refuted for another reason than before (by the fingerprints that
//! baselines have, too) is a fault that was mended and another one that came in.

use super::{Answer, Finding};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The answers of a report in JSON.
#[derive(Debug, Deserialize)]
struct Answers {
    results: Vec<Finding>,
    /// The number of the part, and how many there are, if it is one of a run.
    #[serde(default)]
    shard: Option<(u64, u64)>,
}

/// The answers of a report in JSON, as `wane check --format json` writes it.
///
/// # Errors
/// What is wrong with the text: it is none, or a part of a report, which says nothing of what it
/// lacks.
pub fn read(text: &str) -> Result<Vec<Finding>, String> {
    let answers: Answers =
        serde_json::from_str(text).map_err(|error| format!("it is no JSON report: {error}"))?;
    match answers.shard {
        None => Ok(answers.results),
        Some((number, all)) => Err(format!(
            "it is part {number} of {all} of a run: put the parts together by `wane merge` first"
        )),
    }
}

/// What has become of answers.
#[derive(Debug, Default, Serialize)]
pub struct Difference {
    /// Refuted now, and not before.
    pub introduced: Vec<Finding>,
    /// Proved before, and now unknown.
    pub lost: Vec<Finding>,
    /// Unknown now, and not asked before.
    pub opened: Vec<Finding>,
    /// Refuted before, and now proved or unknown.
    pub fixed: Vec<Finding>,
    /// Proved now, and not before, without having been refuted.
    pub won: Vec<Finding>,
    /// Not asked any more.
    pub gone: Vec<Finding>,
    /// How many answers are what they were.
    pub unchanged: usize,
}

/// What an answer is about, and its number among those about the same: a file may be compiled
/// twice.
type Subject<'a> = (&'a str, &'a str, &'a str, Option<&'a str>, usize);

/// The answers by what they are about. What the user accepts is none.
fn by_subject(findings: &[Finding]) -> BTreeMap<Subject<'_>, &Finding> {
    let mut known = BTreeMap::new();
    for finding in findings.iter().filter(|it| it.accepted.is_none()) {
        let Finding { file, entry, property, argument, .. } = finding;
        let subject = |number| (&**file, &**entry, &**property, argument.as_deref(), number);
        let is_free = |number: &usize| !known.contains_key(&subject(*number));
        if let Some(number) = (0..).find(is_free) {
            known.insert(subject(number), finding);
        }
    }
    known
}

/// Whether both are refuted, and not for the same reason. Reports of older versions have codes
/// only.
fn is_another_fault(old: &Finding, new: &Finding) -> bool {
    let is_same = match (&old.fingerprint, &new.fingerprint) {
        (Some(old), Some(new)) => old == new,
        _ => old.causes.first().map(|it| it.code) == new.causes.first().map(|it| it.code),
    };
    !is_same && (old.answer, new.answer) == (Answer::Refuted, Answer::Refuted)
}

impl Difference {
    /// From old answers to new ones. What the user accepts is none.
    #[must_use]
    pub fn between(old: &[Finding], new: &[Finding]) -> Self {
        let (mut before, now) = (by_subject(old), by_subject(new));
        let mut difference = Self::default();
        for (subject, finding) in now {
            let mut earlier = before.remove(&subject);
            if let Some(mended) = earlier.take_if(|it| is_another_fault(it, finding)) {
                difference.fixed.push(mended.clone());
            }
            let kind = match (earlier.map(|it| it.answer), finding.answer) {
                (Some(earlier), answer) if earlier == answer => {
                    difference.unchanged += 1;
                    continue;
                }
                (_, Answer::Refuted) => &mut difference.introduced,
                (Some(Answer::Refuted), _) => &mut difference.fixed,
                (Some(Answer::Proved), _) => &mut difference.lost,
                (_, Answer::Proved) => &mut difference.won,
                (_, Answer::Unknown) => &mut difference.opened,
            };
            kind.push(finding.clone());
        }
        difference.gone = before.into_values().cloned().collect();
        difference
    }

    /// The kinds of changes with their names, the worst first.
    fn kinds(&self) -> [(&'static str, &[Finding]); 6] {
        [
            ("introduced", &self.introduced),
            ("lost proof", &self.lost),
            ("new unknown", &self.opened),
            ("fixed", &self.fixed),
            ("new proof", &self.won),
            ("gone", &self.gone),
        ]
    }

    /// For a person: a line a change, and a count.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, findings) in self.kinds() {
            for finding in findings {
                let _ = writeln!(text, "{name}: {}", line(finding));
            }
        }
        let counts = self.kinds().into_iter().filter(|(_, findings)| !findings.is_empty());
        let mut counts: Vec<String> =
            counts.map(|(name, findings)| format!("{} {name}", findings.len())).collect();
        counts.push(format!("{} unchanged", self.unchanged));
        text + &counts.join(", ") + "\n"
    }

    /// The same as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        super::json::text_of(self)
    }
}

/// An answer in a line, with its place if it is about one.
fn line(finding: &Finding) -> String {
    let Finding { file, entry, property, reason, .. } = finding;
    let cause = finding.causes.first();
    let code = cause.map_or_else(String::new, |cause| format!(" [{}]", cause.code));
    let place = cause.and_then(|cause| cause.location.as_ref());
    let place = place.map_or_else(|| file.clone(), super::Location::describe);
    let told = reason.strip_prefix(&format!("{place}: ")).unwrap_or(reason);
    format!("{place}: {property} of `{entry}`: {told}{code}")
}
