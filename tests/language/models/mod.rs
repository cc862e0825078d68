//! Random calls of library functions, compiled with sanitizers and run: what wane knows of
//! these functions agrees with what they do. No result that a run has is refuted, or
//! excluded by a proof; no call with arguments that `AddressSanitizer` reports is proved
//! safe. The first lines of `support/compiled_c` name the variables.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "says how far it got")]

mod calls;
use crate::compiled_c;

use calls::{
    BAD_STRINGS, BAD_TARGETS, BASES, BYTES, CALLS, HELPERS, LOCALS, NUMBERS, OBSERVATIONS,
    PROTOTYPES, STRINGS, TARGETS, UNWATCHED, UNWATCHED_COPIES,
};
use compiled_c::dice::Dice;
use compiled_c::program::{Declaration, Part, Program};
use std::collections::BTreeMap;

struct Writer {
    dice: Dice,
}

impl Writer {
    /// Puts something in the place of each letter; with a digit, the same each time.
    fn fill(&mut self, template: &str) -> String {
        let mut known: BTreeMap<String, String> = BTreeMap::new();
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find('$') {
            text.push_str(&rest[..at]);
            let length =
                2 + usize::from(rest[at + 2..].starts_with(|it: char| it.is_ascii_digit()));
            let name = &rest[at + 1..at + length];
            rest = &rest[at + length..];
            let chosen = match known.get(name) {
                Some(chosen) => chosen.clone(),
                None => self.choice(name),
            };
            text.push_str(&chosen);
            if name.len() > 1 {
                known.insert(name.to_owned(), chosen);
            }
        }
        text + rest
    }

    fn choice(&mut self, name: &str) -> String {
        let items = match &name[..1] {
            "s" | "v" if self.dice.once_in(12) => BAD_STRINGS,
            "s" | "v" => STRINGS,
            "t" if self.dice.once_in(9) => BAD_TARGETS,
            "t" => TARGETS,
            "i" => NUMBERS,
            "c" => BYTES,
            "b" => BASES,
            "j" => &["0", "1", "2", "5", "7", "9", "16", "23", "24", "25"],
            "n" => &["0", "1", "2", "3", "4", "5", "7", "8", "9", "23", "1000"],
            _ => &["0", "1", "2", "3"],
        };
        (*self.dice.one_of(items)).to_owned()
    }

    fn lines(&mut self, templates: &[&'static str], count: usize) -> Vec<Part> {
        let line = |_| loop {
            let template = self.dice.one_of(templates);
            let line = self.fill(template);
            if !copies_onto_itself(&line) {
                break Part::Line(line);
            }
        };
        (0..count).map(line).collect()
    }

    fn program(&mut self) -> Program {
        let acc = ("acc@", "static int acc@;");
        let declaration = |(name, text): &(&str, &str)| Declaration::new(&[name], text);
        let declarations = [acc].iter().chain(HELPERS).map(declaration).collect();
        let locals = LOCALS.iter().map(declaration).collect();
        let wanted = std::env::var("WANE_MODELS").ok();
        let is_wanted = |it: &&(&'static str, &'static str)| {
            wanted.as_ref().is_none_or(|wanted| it.0 == wanted || it.1.contains(wanted))
        };
        let calls: Vec<&str> = CALLS.iter().filter(is_wanted).map(|it| it.1).collect();
        let n_calls = 1 + self.dice.below(2);
        let mut body = self.lines(&calls, n_calls);
        let n_observations = 1 + self.dice.below(2);
        body.extend(self.lines(OBSERVATIONS, n_observations));
        let mut cleanup = Vec::new();
        let uses = |name: &str| {
            body.iter().any(|it| matches!(it, Part::Line(line) if line.contains(name)))
        };
        for name in ["heap", "small"] {
            if uses(name) && !self.dice.once_in(5) {
                cleanup.push(Part::Line(format!("free({name});")));
            }
        }
        let is_watched = !UNWATCHED.iter().any(|it| uses(it));
        let (is_open, depends_on_addresses) = (false, false);
        let prototypes = PROTOTYPES;
        Program {
            prototypes,
            declarations,
            locals,
            body,
            cleanup,
            is_open,
            depends_on_addresses,
            is_watched,
        }
    }
}

/// Whether a call that no sanitizer watches copies an object onto itself.
fn copies_onto_itself(line: &str) -> bool {
    let base = |argument: &str| {
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '@';
        argument.trim().chars().take_while(|it| is_part(*it)).collect::<String>()
    };
    UNWATCHED_COPIES.iter().any(|name| {
        let Some((_, arguments)) = line.split_once(name) else { return false };
        let mut arguments = arguments.split([',', ')']).map(base);
        let target = arguments.next().filter(|it| !it.is_empty());
        target.is_some_and(|target| arguments.any(|it| it == target))
    })
}

#[test]
fn copies_of_an_object_onto_itself_are_told() {
    for (line, is_one) in [
        ("note@(stpcpy(local, local) - (local));", true),
        ("note@((char *)mempcpy(big + 8, big, 3) - (big + 8));", true),
        ("note@(stpcpy(big, local) - (big));", false),
        ("note@(stpcpy(big, \"abc\") - (big));", false),
        ("note@(sprintf(empty, \"%s\", empty));", true),
        ("note@(sprintf(empty, \"%s\", big));", false),
        ("strcpy(big, big);", false),
    ] {
        assert_eq!(copies_onto_itself(line), is_one, "{line}");
    }
}

fn random_calls(number: u64) -> Program {
    Writer { dice: Dice::of_program(number) }.program()
}

#[test]
fn models_agree_with_the_library() {
    compiled_c::campaign::verdicts_agree(random_calls, 40);
}
