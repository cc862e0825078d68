//! A random C program as text with holes: names end in `@` where programs of one batch
//! must differ, `TICK;` stands where a compiled program counts its steps, and `HOT` is the
//! volatile variable `hot`, which reads an input in the compiled program.

use std::fmt::Write as _;

/// A statement, or a block of statements that can be taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Line(String),
    Block { head: String, body: Vec<Part>, tail: String },
}

/// A declaration at file scope, or of a local of `main`, with the names that it declares.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) names: Vec<String>,
    pub(crate) text: String,
    /// Whether it is a variable that may point at memory when `main` returns.
    pub(crate) is_root: bool,
}

impl Declaration {
    pub(crate) fn new(names: &[&str], text: &str) -> Self {
        let names = names.iter().map(|it| (*it).to_owned()).collect();
        Self { names, text: text.to_owned(), is_root: false }
    }

    pub(crate) fn root(names: &[&str], text: &str) -> Self {
        Self { is_root: true, ..Self::new(names, text) }
    }
}

/// What stands where the value that the program has computed is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// Nothing: the program as it is.
    Silent,
    /// An error, if the value is another one.
    ErrorUnless(i64),
    /// An error, if the value is this one.
    ErrorIf(i64),
    /// An endless loop, if the value is this one.
    EndlessIf(i64),
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// Declarations of functions without a body, one a line.
    pub(crate) prototypes: &'static str,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) locals: Vec<Declaration>,
    pub(crate) body: Vec<Part>,
    /// What follows after the value has been looked at.
    pub(crate) cleanup: Vec<Part>,
    /// Whether it reads inputs.
    pub(crate) is_open: bool,
    /// Whether what it does may depend on where blocks lie, or on an order that C leaves open.
    pub(crate) depends_on_addresses: bool,
    /// Whether the sanitizers see each invalid access of it.
    pub(crate) is_watched: bool,
}

/// Whether `text` has this name as a word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '@';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

fn write_parts(parts: &[Part], depth: usize, text: &mut String) {
    let indent = "    ".repeat(depth);
    for part in parts {
        match part {
            Part::Line(line) => {
                let _ = writeln!(text, "{indent}{line}");
            }
            Part::Block { head, body, tail } => {
                let _ = writeln!(text, "{indent}{head}");
                write_parts(body, depth + 1, text);
                let _ = writeln!(text, "{indent}{tail}");
            }
        }
    }
}

impl Program {
    /// `main` and what it needs, with holes.
    fn with_holes(&self, end: &str) -> (String, Vec<&str>) {
        let mut statements = String::new();
        write_parts(&self.body, 1, &mut statements);
        let _ = writeln!(statements, "    {end}");
        write_parts(&self.cleanup, 1, &mut statements);
        let mut main = "int main@(void) {\n".to_owned();
        let uses = |text: &str, it: &Declaration| it.names.iter().any(|name| mentions(text, name));
        let mut locals: Vec<&Declaration> = Vec::new();
        let mut used = statements.clone();
        for local in self.locals.iter().rev() {
            if uses(&used, local) {
                locals.push(local);
                used.push_str(&local.text);
            }
        }
        for local in locals.iter().rev() {
            let _ = writeln!(main, "    {}", local.text);
        }
        main.push_str(&statements);
        main.push_str("    return 0;\n}\n");
        let mut is_kept = vec![false; self.declarations.len()];
        let mut used = main.clone();
        // Structs may lead to such as stand behind them.
        while let Some(found) =
            self.declarations.iter().zip(&is_kept).rposition(|(it, kept)| !kept && uses(&used, it))
        {
            is_kept[found] = true;
            used.push_str(&self.declarations[found].text);
        }
        let mut text = String::new();
        let mut roots = Vec::new();
        for (declaration, _) in self.declarations.iter().zip(is_kept).filter(|(_, kept)| *kept) {
            let _ = writeln!(text, "{}", declaration.text);
            if declaration.is_root {
                roots.extend(declaration.names.iter().map(String::as_str));
            }
        }
        (text + &main, roots)
    }

    /// The program as wane reads it.
    pub(crate) fn for_wane(&self, end: End) -> String {
        let end = match end {
            End::Silent => String::new(),
            End::ErrorUnless(value) => format!("if (acc@ != {value}) reach_error();"),
            End::ErrorIf(value) => format!("if (acc@ == {value}) reach_error();"),
            End::EndlessIf(value) => format!("if (acc@ == {value}) for (;;) ;"),
        };
        let (text, _) = self.with_holes(&end);
        let text = text.replace("TICK;", "").replace("HOT", "hot").replace('@', "");
        let mut prototypes = String::new();
        for line in self.prototypes.lines() {
            let name = line.split('(').next().and_then(|it| it.rsplit([' ', '*']).next());
            if line.starts_with("typedef") || name.is_some_and(|it| mentions(&text, it)) {
                let _ = writeln!(prototypes, "{line}");
            }
        }
        format!("{prototypes}{text}")
    }

    /// The program as a part of a batch, and what tells the batch its roots.
    pub(crate) fn for_batch(&self, number: usize) -> String {
        let (text, roots) = self.with_holes("observe(acc@);");
        let roots: String = roots.iter().map(|it| format!(" root(&{it}, sizeof {it});")).collect();
        let text = format!("{text}static void roots@(void) {{{roots} }}\n");
        text.replace("int main@", "static int main@")
            .replace("TICK;", "tick();")
            .replace("HOT", "input()")
            .replace('@', &format!("_{number}"))
    }

    fn n_parts(parts: &[Part]) -> usize {
        let inner = parts.iter().map(|part| match part {
            Part::Line(_) => 1,
            Part::Block { body, .. } => 2 + Self::n_parts(body),
        });
        inner.sum()
    }

    /// Programs with a statement less, or with the body of a block in its place.
    pub(crate) fn smaller(&self) -> Vec<Self> {
        let n_body = Self::n_parts(&self.body);
        let n_all = n_body + Self::n_parts(&self.cleanup);
        let smaller = (0..n_all).map(|at| {
            let mut program = self.clone();
            if at < n_body {
                program.body = without(&self.body, at);
            } else {
                program.cleanup = without(&self.cleanup, at - n_body);
            }
            program
        });
        smaller.collect()
    }
}

/// The parts without the one with the number `at`, counted in the order of the text. A
/// block has two numbers: one for all of it, one for its head and tail alone.
fn without(parts: &[Part], mut at: usize) -> Vec<Part> {
    let mut found = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let rest = &parts[index + 1..];
        match part {
            _ if at == 0 => {
                found.extend(rest.iter().cloned());
                return found;
            }
            Part::Line(_) => {
                at -= 1;
                found.push(part.clone());
            }
            Part::Block { head, body, tail } => {
                let n_inner = Program::n_parts(body);
                if at == 1 {
                    found.extend(body.iter().chain(rest).cloned());
                    return found;
                }
                if at < 2 + n_inner {
                    let body = without(body, at - 2);
                    found.push(Part::Block { head: head.clone(), body, tail: tail.clone() });
                    found.extend(rest.iter().cloned());
                    return found;
                }
                at -= 2 + n_inner;
                found.push(part.clone());
            }
        }
    }
    found
}
