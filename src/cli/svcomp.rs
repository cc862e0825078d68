//! `--svcomp FILE`: the question that a property file of the Competition on Software Verification
//! asks, and the answer as its tools expect it: one line.

use project::read_text;
use question::Question;
use report::{Answer, Finding};
use std::collections::BTreeSet;
use std::path::Path;

/// What a property file asks.
#[derive(Clone, Debug)]
pub(super) struct Property {
    /// The question.
    pub(super) question: Question,
    /// The parts of memory safety that are asked for: `valid-deref` and the like.
    parts: BTreeSet<&'static str>,
}

/// What may stand between `LTL(` and `)`, and what it asks.
const KNOWN: [(&str, Question); 6] = [
    ("F end", Question::Termination),
    ("G ! call(reach_error())", Question::Reach),
    ("G valid-deref", Question::MemorySafety),
    ("G valid-free", Question::MemorySafety),
    ("G valid-memtrack", Question::MemorySafety),
    ("G valid-memcleanup", Question::MemoryCleanup),
];

impl Property {
    /// Reads a property file: lines of the form `CHECK( init(main()), LTL(…) )`.
    ///
    /// # Errors
    /// It cannot be read, or asks for something else, or for two things at once; with the place.
    pub(super) fn read(file: &Path) -> Result<Self, String> {
        let mut property: Option<Self> = None;
        for (number, line) in (1..).zip(read_text(file)?.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with("//") || line.starts_with('#') {
                continue;
            }
            let wrong = |what: &str| Err(format!("{}:{number}: {what}: {line}", file.display()));
            let Some((formula, question)) = known(line) else {
                return wrong("this property is not one that wane answers");
            };
            let part = formula.strip_prefix("G ").filter(|it| it.starts_with("valid-"));
            let own = property
                .get_or_insert_with(|| Self { question: question.clone(), parts: BTreeSet::new() });
            if own.question != question {
                return wrong("a file asks for one thing");
            }
            own.parts.extend(part);
        }
        property.ok_or_else(|| format!("{} has no property", file.display()))
    }

    /// The answer: `TRUE`, `FALSE`, with the part of memory safety that is violated, or `UNKNOWN`.
    pub(super) fn verdict(&self, findings: &[Finding]) -> String {
        let unknown = || "UNKNOWN".to_owned();
        let [finding] = findings else { return unknown() };
        match finding.answer {
            Answer::Proved => "TRUE".to_owned(),
            Answer::Unknown => unknown(),
            Answer::Refuted => match (&self.question, finding.subproperty.as_deref()) {
                (Question::Termination, _) => "FALSE(termination)".to_owned(),
                (Question::MemoryCleanup, _) => "FALSE(valid-memcleanup)".to_owned(),
                (Question::MemorySafety, Some(part)) if self.parts.contains(part) => {
                    format!("FALSE({part})")
                }
                // It is violated, but not in what is asked for.
                (Question::MemorySafety, _) => unknown(),
                _ => "FALSE".to_owned(),
            },
        }
    }
}

/// The formula of a line, and what it asks.
fn known(line: &str) -> Option<(&'static str, Question)> {
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let line = plain(line);
    let formula = line.strip_prefix("CHECK(init(main()),LTL(")?.strip_suffix("))")?;
    KNOWN.iter().find(|(text, _)| plain(text) == formula).cloned()
}
