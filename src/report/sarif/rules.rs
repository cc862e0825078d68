//! The rules of a log: one a property and one a code, with the page about it.
//!
//! They have no `helpUri`: the pages are at no public address, and readers take no relative
//! one. The whole page is in the rule instead.

use crate::{claim, codes, sentence};
use serde_json::{Value, json};

/// The properties, what their rules are called (otherwise, readers ask, than by their ids), and
/// what is checked there and to be done where it fails.
const PROPERTIES: [(&str, &str, &str); 8] = [
    (
        "termination",
        "EveryRunEnds",
        "Checked is whether each loop and each recursion is left after finitely many rounds, \
         whatever the inputs. A refuted answer shows a run that comes round again and again, with \
         what it is given. Change the loop's condition, or what its rounds do to the variables \
         in it, so that something decreases in each round; if the program is to run for ever, \
         ask for another property of it, or allow the answer by a comment.",
    ),
    (
        "memsafety",
        "MemorySafety",
        "Checked is whether each access is inside a live block, each `free` is of the start of a \
         heap block that was not freed before, and no heap block is lost before the program ends. \
         A refuted answer shows a run up to the first access, `free` or loss that is wrong. Follow \
         its steps from the end to the place where the pointer went wrong, and test or set the \
         pointer, or the index, there.",
    ),
    (
        "memcleanup",
        "MemoryCleanup",
        "Checked is whether each heap block has been freed when the program ends. A refuted answer \
         shows a run that ends with a block left, and where this was allocated. Free the block on \
         this way to the end, too; ask for `memsafety` instead if blocks that variables lead \
         to may be left to the system.",
    ),
    (
        "reach",
        "Reachability",
        "Checked is whether `reach_error` is called or an assertion fails in any run. A refuted \
         answer shows a run that does so, with what it is given. Mend the program where its steps \
         depart from what was meant, or weaken the assertion if it asks too much.",
    ),
    (
        "ltl",
        "LinearTimeFormula",
        "Checked is whether a formula of linear temporal logic holds of every run. A refuted answer \
         shows a run of which it does not hold. Compare the order of that run's steps with the \
         formula, and mend the one or the other.",
    ),
    (
        "ctl",
        "BranchingTimeFormula",
        "Checked is whether a formula of branching time holds where the program starts. A refuted \
         answer means that the formula's negation was proved. Look for the choice of the program \
         by which the formula fails, and mend the program or the formula.",
    ),
    (
        "spec",
        "Specification",
        "Checked is whether the program keeps to a specification of the order of its calls. A \
         refuted answer shows a run with a call that the specification forbids, or one that never \
         comes to what it demands. Mend the program on the way there, or the specification.",
    ),
    (
        "thread-termination",
        "EveryRunOfThreadEnds",
        "Checked is whether a thread ends, whatever the other threads do beside it. A refuted \
         answer shows a schedule in which it runs for ever. Change what its loops wait for, or what \
         the others do to the variables that they share.",
    ),
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
    let of_properties = PROPERTIES.iter().map(|(id, name, full)| {
        let text = claim(id, "main");
        let (name, tags) = ((*name).to_owned(), ["correctness"]);
        let (short, weight) = (text.as_str(), Weight::Error);
        Rule { id, name, short, full, help: full, weight, tags: &tags }.to_json()
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
    let of_properties = PROPERTIES.iter().map(|(property, ..)| *property);
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
        "W005" | "W007" | "W008" | "W009" => (Weight::Error, &["correctness", "memory-safety"]),
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
