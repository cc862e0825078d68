//! Answers to the same question about the same function, from several programs: a build compiles a
//! file with several sets of flags, or links it to several programs.

use super::{Answer, Finding, Location, Problem};
use std::collections::BTreeMap;

/// The answers with one for each question about a function: the worst, at the place of the first.
/// Where they are not all the same, it says so.
#[must_use]
pub fn settled<P>(answers: Vec<(P, Finding)>) -> Vec<(P, Finding)> {
    let mut settled: Vec<(P, Finding)> = Vec::new();
    let mut positions: BTreeMap<[String; 4], usize> = BTreeMap::new();
    for (place, answer) in answers {
        let position = *positions.entry(asked(&answer)).or_insert(settled.len());
        match settled.get_mut(position) {
            None => settled.push((place, answer)),
            Some((_, known)) if said(known) == said(&answer) => {}
            Some((_, known)) => {
                let mut warnings = std::mem::take(&mut known.warnings);
                if rank(&answer) > rank(known) {
                    *known = answer;
                }
                let warning = differs(known);
                if !warnings.contains(&warning) {
                    warnings.push(warning);
                }
                known.warnings.extend(warnings);
            }
        }
    }
    settled
}

/// What a question is known by.
fn asked(finding: &Finding) -> [String; 4] {
    let argument = finding.argument.as_deref().unwrap_or_default();
    [&finding.file, &finding.entry, &finding.property, argument].map(str::to_owned)
}

/// What an answer says to a person.
fn said(finding: &Finding) -> impl PartialEq {
    let Finding { answer, reason, precondition, causes, assumes, .. } = finding;
    (*answer, reason.clone(), precondition.clone(), causes.clone(), assumes.clone())
}

fn rank(finding: &Finding) -> u8 {
    match finding.answer {
        Answer::Proved => 0,
        Answer::Unknown => 1,
        Answer::Refuted => 2,
    }
}

fn differs(finding: &Finding) -> Problem {
    let Finding { entry, property, file, .. } = finding;
    let message = format!(
        "this file is compiled several times, with other flags or for other programs, and the \
         answers about `{entry}` ({property}) differ: the worst is told"
    );
    Problem { message, location: Location::of_file(file) }
}
