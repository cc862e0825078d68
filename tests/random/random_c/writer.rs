//! Writes random programs from templates.

use super::statements::STATEMENTS;
use super::templates::{
    BLOCKS, CHANGING, CLEANUPS, CONDITIONS, EXPRESSIONS, FIELDS_OF_A, FIELDS_OF_B, FIELDS_OF_U,
    FUNCTIONS, GLOBALS, LEAVES, LOCALS, MORE_OF_A, MORE_OF_B, NUMBERS, OBSERVATIONS, PROTOTYPES,
    STARTS,
};
use crate::compiled_c::dice::Dice;
use crate::compiled_c::program::{Declaration, Part, Program};
use std::collections::BTreeMap;

/// How deep expressions and blocks are.
const DEPTH: usize = 2;

/// The program with this number.
pub(crate) fn random_program(number: u64) -> Program {
    let mut writer = Writer::new(Dice::of_program(number));
    writer.write()
}

struct Writer {
    dice: Dice,
    /// What can follow `->` and `.` in a template, if a program has it.
    absent: Vec<&'static str>,
    /// Integer fields, and links, by the letter that stands for them.
    fields: BTreeMap<char, Vec<&'static str>>,
    /// Pointers to A that are declared in blocks around.
    pointers: Vec<String>,
    n_names: usize,
    is_open: bool,
    depends_on_addresses: bool,
    /// Whether the sanitizers see each invalid access.
    is_watched: bool,
    /// How seldom a template with `~` is taken where it is met.
    caution: usize,
}

/// Letters of a template, with a digit perhaps, and what they stand for.
type Choices = BTreeMap<String, String>;

impl Writer {
    fn new(mut dice: Dice) -> Self {
        let caution = if dice.once_in(4) { 1 } else { 8 };
        Self {
            caution,
            dice,
            absent: Vec::new(),
            fields: BTreeMap::new(),
            pointers: Vec::new(),
            n_names: 0,
            is_open: false,
            depends_on_addresses: false,
            is_watched: true,
        }
    }

    fn write(&mut self) -> Program {
        let mut declarations = self.types();
        for (name, template) in GLOBALS {
            let text = self.fill(template, DEPTH, &mut Choices::new());
            let declaration = match name.strip_prefix('*') {
                Some("first@") => Declaration::root(&["first@"], &text),
                Some(name) => Declaration::root(&[name], &text),
                None => Declaration::new(&[name], &text),
            };
            declarations.push(declaration);
        }
        let locals = NUMBERS.iter().chain(LOCALS).map(|(name, template)| {
            let text = self.fill(template, DEPTH, &mut Choices::new());
            Declaration::new(&[name], &text)
        });
        let locals = locals.collect();
        let mut body = Vec::new();
        if !self.dice.once_in(6) {
            let n_starts = 1 + self.dice.below(2);
            body.extend(self.lines(STARTS, n_starts));
        }
        let n_statements = 2 + self.dice.below(8);
        body.extend(self.parts(n_statements, 0));
        let n_observations = 1 + self.dice.below(3);
        body.extend(self.lines(OBSERVATIONS, n_observations));
        let n_cleanups = self.dice.below(4);
        let cleanup = self.lines(CLEANUPS, n_cleanups);
        let (is_open, depends_on_addresses) = (self.is_open, self.depends_on_addresses);
        let prototypes = PROTOTYPES;
        Program {
            prototypes,
            declarations,
            locals,
            body,
            cleanup,
            is_open,
            depends_on_addresses,
            is_watched: self.is_watched,
        }
    }

    /// Some lines without expressions of any depth.
    fn lines(&mut self, templates: &[&'static str], count: usize) -> Vec<Part> {
        let line = |_| {
            let template = loop {
                let template = self.dice.one_of(templates);
                if self.fits(template) {
                    break template;
                }
            };
            Part::Line(self.fill(template, DEPTH, &mut Choices::new()))
        };
        (0..count).map(line).collect()
    }

    /// The structs and the union, with fields in any order.
    fn types(&mut self) -> Vec<Declaration> {
        let mut numbers = vec!["val", "val"];
        let mut links = vec!["next", "next"];
        let mut of_a = FIELDS_OF_A.to_vec();
        for (name, text, is_number) in MORE_OF_A {
            if self.dice.once_in(3) {
                of_a.push(text);
                numbers.extend(is_number.then_some(name));
                links.extend((*name == "other").then_some(name));
            } else {
                self.absent.push(name);
            }
        }
        let mut of_b = FIELDS_OF_B.to_vec();
        let mut numbers_of_b = vec!["num"];
        for (name, text, is_number) in MORE_OF_B {
            if self.dice.once_in(3) {
                of_b.push(text);
                numbers_of_b.extend(is_number.then_some(name));
            } else {
                self.absent.push(name);
            }
        }
        self.fields.insert('f', numbers);
        self.fields.insert('g', numbers_of_b);
        self.fields.insert('l', links);
        self.fields.insert('m', vec!["link"]);
        self.fields.insert('h', vec!["home", "pair[0]"]);
        self.fields.insert('q', vec!["peer"]);
        let mut structure = |head: &str, names: &[&str], fields: &[&str]| {
            let mut fields = fields.to_vec();
            for at in (1..fields.len()).rev() {
                let other = self.dice.below(at + 1);
                fields.swap(at, other);
            }
            Declaration::new(names, &format!("{head} {{ {} }};", fields.join(" ")))
        };
        let union = structure("union U@", &["U@"], FIELDS_OF_U);
        // What is initialized is all of it.
        let union =
            Declaration { text: union.text.replace("union U@ { ", "union U@ { long l; "), ..union };
        vec![
            Declaration::new(&["in@"], "static int in@(void) { return __VERIFIER_nondet_int(); }"),
            union,
            structure(
                "struct In@",
                &["In@"],
                &["unsigned char small;", "struct A@ *back;", "int high;"],
            ),
            structure("struct A@", &["A@"], &of_a),
            structure("struct B@", &["B@"], &of_b),
        ]
    }

    fn parts(&mut self, count: usize, depth: usize) -> Vec<Part> {
        (0..count).map(|_| self.part(depth)).collect()
    }

    fn part(&mut self, depth: usize) -> Part {
        if depth < DEPTH && self.dice.once_in(if depth == 0 { 4 } else { 7 }) {
            return self.block(depth);
        }
        let template = loop {
            let template = self.dice.one_of(STATEMENTS);
            let times = match template {
                _ if template.starts_with('~') => self.caution,
                "if ($c) return 0;" => 4,
                _ if template.contains("in@()") => 4,
                _ => 1,
            };
            if self.fits(template) && self.dice.once_in(times) {
                break template;
            }
        };
        let template = match template.strip_prefix('~') {
            Some(template) => {
                self.depends_on_addresses = true;
                template
            }
            None => template,
        };
        self.is_open |= template.contains("in@()");
        // What lies so far behind a struct may be another object, and no sanitizer minds.
        self.is_watched &= !template.contains("(struct A@ *)&s1.next");
        let unguarded = ["if ($a1) ", "if ($b1) "].iter().find_map(|it| template.strip_prefix(it));
        let template = match unguarded {
            Some(unguarded) if self.dice.once_in(25) => unguarded,
            _ => template,
        };
        Part::Line(self.fill(template, 0, &mut Choices::new()))
    }

    fn block(&mut self, depth: usize) -> Part {
        let (head, tail) = loop {
            let block = BLOCKS[self.dice.below(BLOCKS.len())];
            if self.fits(block.0) && self.fits(block.1) {
                break block;
            }
        };
        let mut choices = Choices::new();
        self.n_names += 1;
        choices.insert("n".to_owned(), format!("i{}", self.n_names));
        choices.insert("p".to_owned(), format!("p{}", self.n_names));
        choices.insert("p0".to_owned(), format!("o{}", self.n_names));
        let head_text = self.fill(head, 0, &mut choices);
        let n_pointers = self.pointers.len();
        if head.contains("$p") {
            self.pointers.push(format!("p{}", self.n_names));
        }
        let count = 1 + self.dice.below(3);
        let body = self.parts(count, depth + 1);
        self.pointers.truncate(n_pointers);
        let tail = self.fill(tail, 0, &mut choices);
        Part::Block { head: head_text, body, tail }
    }

    /// Whether the program has all fields that a template names.
    fn fits(&self, template: &str) -> bool {
        !self.absent.iter().any(|name| {
            ["->", "."].iter().any(|dot| {
                template.match_indices(&format!("{dot}{name}")).any(|(at, found)| {
                    let rest = &template[at + found.len()..];
                    !rest.starts_with(|it: char| it.is_ascii_alphanumeric() || it == '_')
                })
            })
        })
    }

    /// Puts something in the place of each letter.
    fn fill(&mut self, template: &str, depth: usize, choices: &mut Choices) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find('$') {
            text.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let is_digit = |it: char| it.is_ascii_digit();
            let length = 1 + rest[1..].find(|it| !is_digit(it)).unwrap_or(rest.len() - 1);
            let name = &rest[..length];
            rest = &rest[length..];
            text.push_str(&self.choice(name, depth, choices));
        }
        text + rest
    }

    fn choice(&mut self, name: &str, depth: usize, choices: &mut Choices) -> String {
        if let Some(known) = choices.get(name) {
            return known.clone();
        }
        let letter = name.chars().next().unwrap_or('k');
        let is_kept = name.len() > 1;
        let chosen = match letter {
            'a' => self.pointer(),
            'b' => (*self.dice.one_of(&["b0", "b0", "b1", "gb@"])).to_owned(),
            'x' => NUMBERS[self.dice.below(NUMBERS.len())].0.to_owned(),
            'k' => [0, 1, 1, 2, 2, 3, 3, 4, 5, 7][self.dice.below(10)].to_string(),
            'i' => [0, 0, 0, 1, 1, 1, 2, 2][self.dice.below(8)].to_string(),
            'e' => self.any_of(EXPRESSIONS, LEAVES, depth),
            'c' if depth == 0 && self.dice.once_in(8) => {
                let template = self.dice.one_of(CHANGING);
                self.fill(template, DEPTH, &mut Choices::new())
            }
            'c' => self.any_of(CONDITIONS, &CONDITIONS[..5], depth),
            'F' => (*self.dice.one_of(FUNCTIONS)).to_owned(),
            'E' => (*self.dice.one_of(&["bump@", "bump@", "loop@", "cut@"])).to_owned(),
            _ => match self.fields.get(&letter) {
                Some(fields) => fields[self.dice.below(fields.len())].to_owned(),
                None => name.to_owned(),
            },
        };
        // Without a digit `$f` is a field of its own each time, and `$a` a pointer.
        if is_kept {
            choices.insert(name.to_owned(), chosen.clone());
        }
        chosen
    }

    fn pointer(&mut self) -> String {
        match self.pointers.last() {
            Some(pointer) if !self.dice.once_in(2) => pointer.clone(),
            _ => (*self.dice.one_of(&["a0", "a0", "a0", "a1", "a1", "ga@"])).to_owned(),
        }
    }

    fn any_of(
        &mut self,
        deep: &'static [&'static str],
        flat: &'static [&'static str],
        depth: usize,
    ) -> String {
        loop {
            let templates = if depth < DEPTH && !self.dice.once_in(2) { deep } else { flat };
            let template = self.dice.one_of(templates);
            if !self.fits(template) {
                continue;
            }
            match template.strip_prefix('~') {
                None => return self.fill(template, depth + 1, &mut Choices::new()),
                Some(template) if self.dice.once_in(self.caution) => {
                    self.depends_on_addresses = true;
                    return self.fill(template, depth + 1, &mut Choices::new());
                }
                Some(_) => {}
            }
        }
    }
}
