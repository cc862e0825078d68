//! What an answer says, for formats that have fields of their own for its place and its code.

use super::{Answer, Finding, claim, human};

/// An answer as a clause that does not name its place.
pub(super) fn of_finding(finding: &Finding) -> String {
    let Some(cause) = finding.causes.first() else {
        return match finding.answer {
            Answer::Refuted => human::offence(finding),
            Answer::Proved | Answer::Unknown => finding.reason.clone(),
        };
    };
    match finding.answer {
        Answer::Proved => finding.reason.clone(),
        Answer::Refuted => {
            let offence = human::offence(finding);
            let place = cause.location.as_ref().map(|it| it.describe() + ": ");
            let offence = place.and_then(|it| offence.strip_prefix(&it)).unwrap_or(&offence);
            // What the reason says again is not said twice.
            let parts = offence.rsplit_once(": ");
            let parts = parts.filter(|(_, tail)| cause.message.ends_with(tail));
            let offence = parts.map_or(offence, |(claim, _)| claim);
            if offence.contains(&cause.message) {
                offence.to_owned()
            } else {
                format!("{offence}: {}", cause.message)
            }
        }
        Answer::Unknown => {
            let goal = claim(&finding.property, &finding.entry);
            format!("{}: it is unknown whether {goal}", cause.message)
        }
    }
}

/// A clause with the full stop that some readers ask for.
pub(super) fn ended(clause: &str) -> String {
    let clause = clause.trim_end();
    let stop = if clause.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{clause}{stop}")
}
