//! The rules of a log: one a property and one a code, with the page about it.
//!
//! They have no `helpUri`: the pages are at no public address, and readers take no relative
//! one. The whole page is in the rule instead.

use crate::{claim, codes, sentence};
use serde_json::{Value, json};

/// The properties, and what their rules are called: otherwise, readers ask, than by their ids.
const PROPERTIES: [(&str, &str); 8] = [
    ("termination", "EveryRunEnds"),
    ("memsafety", "MemorySafety"),
    ("memcleanup", "MemoryCleanup"),
    ("reach", "Reachability"),
    ("ltl", "LinearTimeFormula"),
    ("ctl", "BranchingTimeFormula"),
    ("spec", "Specification"),
    ("thread-termination", "EveryRunOfThreadEnds"),
];

/// How weighty a result of a rule is.
#[derive(Clone, Copy)]
enum Weight {
    /// Something is refuted.
    Error,
    /// A loop that only an overflow ends.
    Warning,
    /// Something is unknown, or taken for granted: no results have such a rule.
    Note,
}

/// What one rule says.
struct Rule<'a> {
    id: &'a str,
    name: String,
    short: &'a str,
    full: &'a str,
    help: &'a str,
    weight: Weight,
    tags: &'a [&'a str],
}

/// All rules. Their places in this list are the indices of [`index`].
pub(super) fn all() -> Vec<Value> {
    let of_properties = PROPERTIES.iter().map(|(id, name)| {
        let text = claim(id, "main");
        let (name, tags) = ((*name).to_owned(), ["correctness"]);
        let (short, weight) = (text.as_str(), Weight::Error);
        Rule { id, name, short, full: short, help: short, weight, tags: &tags }.to_json()
    });
    let of_codes = codes::all().iter().map(|page| {
        let (weight, tags) = kind(page.code);
        Rule {
            id: page.code,
            name: pascal_case(page.title()),
            short: page.title(),
            full: page.summary(),
            help: page.text,
            weight,
            tags,
        }
        .to_json()
    });
    of_properties.chain(of_codes).collect()
}

/// Where a rule is in the list, or -1, which is SARIF's way to say that it is not there.
pub(super) fn index(id: &str) -> i64 {
    let of_properties = PROPERTIES.iter().map(|(property, _)| *property);
    let ids = of_properties.chain(codes::all().iter().map(|page| page.code));
    ids.zip(0..).find(|(known, _)| *known == id).map_or(-1, |(_, index)| index)
}

/// How weighty answers with a code are, and the tags by which hosts sort them: those of GitHub
/// name entries of the list of common weaknesses.
fn kind(code: &str) -> (Weight, &'static [&'static str]) {
    match code {
        "W001" => (Weight::Error, &["correctness", "memory-safety", "external/cwe/cwe-476"]),
        "W002" => (Weight::Error, &["correctness", "memory-safety", "external/cwe/cwe-825"]),
        "W003" => (Weight::Error, &["correctness", "memory-safety", "external/cwe/cwe-119"]),
        "W004" => (Weight::Error, &["correctness", "memory-safety", "external/cwe/cwe-763"]),
        "W006" => (Weight::Error, &["correctness", "external/cwe/cwe-369"]),
        "W005" | "W007" | "W008" => (Weight::Error, &["correctness", "memory-safety"]),
        "W010" | "W011" => (Weight::Error, &["correctness", "external/cwe/cwe-401"]),
        "W012" | codes::VIOLATED => (Weight::Error, &["correctness"]),
        "W050" => (Weight::Error, &["correctness", "termination", "external/cwe/cwe-835"]),
        codes::ENDS_BY_OVERFLOW => {
            (Weight::Warning, &["correctness", "termination", "external/cwe/cwe-190"])
        }
        _ => (Weight::Note, &["correctness"]),
    }
}

impl Rule<'_> {
    fn to_json(&self) -> Value {
        let (level, severity) = match self.weight {
            Weight::Error => ("error", "error"),
            Weight::Warning => ("warning", "warning"),
            Weight::Note => ("note", "recommendation"),
        };
        json!({
            "id": self.id,
            "name": self.name,
            "shortDescription": { "text": sentence::ended(self.short) },
            "fullDescription": { "text": sentence::ended(self.full) },
            "help": { "text": sentence::ended(self.full), "markdown": self.help },
            "defaultConfiguration": { "level": level },
            "properties": {
                // What is refuted has been run by an interpreter.
                "precision": "very-high",
                "problem.severity": severity,
                "tags": self.tags,
            },
        })
    }
}

/// A title as one word, without its articles: `ARunNeverEnds` says no more than `RunNeverEnds`.
fn pascal_case(title: &str) -> String {
    let words = title.split(|it: char| !it.is_ascii_alphanumeric());
    let telling = words.filter(|word| !["a", "an", "the", "s", ""].contains(word));
    telling
        .flat_map(|word| {
            let mut letters = word.chars();
            letters.next().map(|it| it.to_ascii_uppercase()).into_iter().chain(letters)
        })
        .collect()
}
