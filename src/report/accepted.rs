//! Answers that the user has accepted: by a comment ([`comments`](super::comments)), or by a
//! baseline.
//!
//! A baseline lists answers by fingerprint. The verdict stays what it is; an accepted answer is
//! counted, but not shown, and does not make the call fail. Baselines with fingerprints of the
//! second version, in which blanks inside a line counted, are still understood. Files have their
//! names from the folder of the settings on, whatever folder the run is in ([`Home`]).

use super::{Answer, Finding, Report, Texts};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Why an answer is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Accepted {
    /// By a comment in the source.
    Comment,
    /// By the baseline.
    Baseline,
}

/// From where files are named when answers are recognized.
#[derive(Clone, Debug, Default)]
pub struct Home {
    /// The folder that the run is in.
    pub here: PathBuf,
    /// The folder of the settings, or the same.
    pub folder: PathBuf,
}

impl Home {
    /// The name of a file from the folder on; the name that it has, if it is not below that.
    fn name_of(&self, file: &str) -> String {
        let mut path = PathBuf::new();
        for part in self.here.join(file).components() {
            match part {
                Component::ParentDir if path.file_name().is_some() => drop(path.pop()),
                Component::CurDir => {}
                other => path.push(other),
            }
        }
        match path.strip_prefix(&self.folder) {
            Ok(below) if file != "-" => below.display().to_string(),
            _ => file.to_owned(),
        }
    }
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
    /// The same with all answers of the report that are no proofs and that no comment accepts, and
    /// without what it settles: what was not asked stays.
    #[must_use]
    pub fn updated(mut self, report: &Report, texts: &Texts) -> Self {
        let settled: BTreeSet<Known> = self.settled(report, texts).cloned().collect();
        self.known.retain(|it| !settled.contains(it));
        // What a comment accepts is open again as soon as that is gone.
        let is_open =
            |it: &&Finding| it.answer != Answer::Proved && it.accepted != Some(Accepted::Comment);
        let open = report.findings.iter().filter(is_open);
        self.add(open, texts, &report.home);
        self
    }

    /// Adds answers.
    pub fn add<'a>(
        &mut self,
        findings: impl Iterator<Item = &'a Finding>,
        texts: &Texts,
        home: &Home,
    ) {
        let added = findings.map(|finding| Known {
            fingerprint: fingerprint(finding, texts, home),
            file: home.name_of(&finding.file),
            function: Some(finding.entry.clone()),
            property: finding.property.clone(),
            reason: finding.reason.clone(),
        });
        let added: Vec<Known> = added.collect();
        self.known.retain(|it| added.iter().all(|new| new.fingerprint != it.fingerprint));
        self.known.extend(added);
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

    /// What of the list the report settles: it answers the question about the function by a proof,
    /// or refutes it for another reason. Where that is open, it may be so for want of files.
    pub fn settled(&self, report: &Report, texts: &Texts) -> impl Iterator<Item = &Known> {
        let home = &report.home;
        let open = report.findings.iter().filter(|finding| finding.answer != Answer::Proved);
        let found: BTreeSet<String> = open.flat_map(|it| numbers(it, texts, home)).collect();
        let key = |it: &Finding| (home.name_of(&it.file), it.entry.clone(), it.property.clone());
        let of_answer = |is_meant: &dyn Fn(Answer) -> bool| -> BTreeSet<_> {
            let plain = report.findings.iter().filter(|it| it.argument.is_none());
            plain.filter(|it| is_meant(it.answer)).map(key).collect()
        };
        let answered = of_answer(&|it| it != Answer::Unknown);
        let unknown = of_answer(&|it| it == Answer::Unknown);
        self.known.iter().filter(move |it| {
            let function = it.function.clone().unwrap_or_default();
            let key = (home.name_of(&it.file), function, it.property.clone());
            !found.contains(&it.fingerprint) && answered.contains(&key) && !unknown.contains(&key)
        })
    }

    /// Marks the answers of the report that are known.
    pub fn accept(&self, report: &mut Report, texts: &Texts) {
        let known: BTreeSet<&str> = self.known.iter().map(|it| it.fingerprint.as_str()).collect();
        for finding in &mut report.findings {
            let is_open = finding.answer != Answer::Proved && finding.accepted.is_none();
            let mut numbers = numbers(finding, texts, &report.home).into_iter();
            if is_open && numbers.any(|it| known.contains(it.as_str())) {
                finding.accepted = Some(Accepted::Baseline);
            }
        }
    }
}

/// Writes on each answer of the report that is no proof what it is recognized by, for those who
/// read it without the texts.
pub fn recognize(report: &mut Report, texts: &Texts) {
    for finding in report.findings.iter_mut().filter(|it| it.answer != Answer::Proved) {
        finding.fingerprint = Some(fingerprint(finding, texts, &report.home));
    }
}

/// A number for the answer that moved lines and other blanks do not change: it depends on the
/// question, the first reason's code, and the text of the line that this is about, blanks left
/// out.
#[must_use]
pub fn fingerprint(finding: &Finding, texts: &Texts, home: &Home) -> String {
    let line: String = line_of(finding, texts).split_whitespace().collect();
    number_of(finding, &home.name_of(&finding.file), &line)
}

/// The number, and what it was when blanks inside the line counted, or the name of a file as it was
/// given: one from the root on means the same file in each folder.
fn numbers(finding: &Finding, texts: &Texts, home: &Home) -> Vec<String> {
    let line = line_of(finding, texts);
    let compact: String = line.split_whitespace().collect();
    let from_root = Some(finding.file.clone()).filter(|it| Path::new(it).is_absolute());
    let names = [home.name_of(&finding.file)].into_iter().chain(from_root);
    let of_name = |name: String| [&compact, line.trim()].map(|it| number_of(finding, &name, it));
    names.flat_map(of_name).collect()
}

fn number_of(finding: &Finding, file: &str, line: &str) -> String {
    let code = finding.causes.first().map_or("", |cause| cause.code);
    number(&[file, &finding.property, &finding.entry, code, line])
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
