//! Reports of parts of the work, which several machines do: JSON, with the place of each answer
//! in the whole.

use super::{Finding, Problem, Report};
use serde::{Deserialize, Serialize};

/// What one machine has found out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The tool's version.
    version: String,
    /// What the run is known by: the same for all parts of one.
    run: String,
    /// Its number, from 1, and how many parts there are.
    shard: (u64, u64),
    /// What it rests on, if the run was planned: its parts may be made at different times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    basis: Option<String>,
    /// Of each answer, the numbers of its program, its function and its question.
    positions: Vec<[usize; 3]>,
    /// The answers.
    results: Vec<Finding>,
    /// The files that could not be read, and why.
    errors: Vec<Problem>,
}

impl Part {
    /// The answers at these positions, of a run and of the part of it with this number of so many,
    /// which rests on something.
    #[must_use]
    pub fn new(
        (run, shard, basis): (&str, (u64, u64), Option<String>),
        positions: Vec<[usize; 3]>,
        report: Report,
    ) -> Self {
        let (version, run) = (report.version.to_owned(), run.to_owned());
        let (results, errors) = (report.findings, report.problems);
        Self { version, run, shard, basis, positions, results, errors }
    }

    /// What it rests on, if the run was planned.
    #[must_use]
    pub fn basis(&self) -> Option<&str> {
        self.basis.as_deref()
    }

    /// Reads a part.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(text: &str) -> Result<Self, String> {
        let part: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if part.positions.len() == part.results.len() {
            Ok(part)
        } else {
            Err("it has not one position for each answer".to_owned())
        }
    }

    /// The part as text.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// The report of all parts, whatever their order: the same as of one machine.
///
/// # Errors
/// A part is missing, or there twice, or some are of another version or run.
pub fn merge(mut parts: Vec<Part>) -> Result<Report, String> {
    let own = Report::new();
    parts.sort_by_key(|part| part.shard);
    let n_all = parts.first().map_or(0, |part| part.shard.1);
    if let Some(other) = parts.iter().find(|part| part.version != own.version) {
        return Err(format!("a part is of version {}, and this is {}", other.version, own.version));
    }
    let of_first = parts.first().map(|part| part.run.clone());
    if parts.iter().any(|part| part.shard.1 != n_all || Some(&part.run) != of_first.as_ref()) {
        return Err("the parts are of different runs: other files, options or numbers of parts \
                    (each machine needs the same files and headers)"
            .to_owned());
    }
    let numbers: Vec<u64> = parts.iter().map(|part| part.shard.0).collect();
    if let Some(missing) = (1..=n_all).find(|number| !numbers.contains(number)) {
        return Err(format!("part {missing} of {n_all} is missing"));
    }
    if let Some(twice) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("part {} of {n_all} is there twice", twice[0]));
    }
    let mut placed = Vec::new();
    let mut problems: Vec<Problem> = Vec::new();
    for part in parts {
        placed.extend(part.positions.into_iter().zip(part.results));
        // Each machine reads all files.
        let known = problems.clone();
        problems.extend(part.errors.into_iter().filter(|it| !known.contains(it)));
    }
    placed.sort_by_key(|(position, _)| *position);
    let findings = placed.into_iter().map(|(_, finding)| finding).collect();
    Ok(Report { findings, problems, ..own })
}
