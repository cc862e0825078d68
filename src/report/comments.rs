//! Comments that accept answers.
//!
//! * `wane: allow(W010, memsafety)` accepts what a code says, or any code of a property, about its
//!   line, or about the next line of code where nothing else stands on its own.
//! * `wane: allow-function(…)` accepts it of the whole function that follows.
//! * `wane: allow-file(…)` accepts it of the whole file.
//!
//! An answer is accepted if all its reasons are. A comment that accepts nothing although it was
//! asked is reported, and so is one that is none of these.

use super::accepted::Accepted;
use super::{Answer, Cause, Finding, Location, Problem, Report, Texts, codes};
use question::Question;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// What such a comment begins with.
const MARK: &str = "wane:";
/// What one begins with whose colon is forgotten.
const WITHOUT_COLON: &str = "wane allow";

/// A name that a comment accepts.
struct Allowance {
    /// Where it stands.
    place: Location,
    name: String,
    region: Region,
    is_used: bool,
}

/// What a comment is about.
#[derive(Clone)]
enum Region {
    /// These lines of its file.
    Lines(RangeInclusive<u32>),
    /// These lines, which are a function of this name.
    Function(String, RangeInclusive<u32>),
    /// The file.
    File,
}

/// Whether a text may have comments that accept answers.
#[must_use]
pub fn has_comments(text: &str) -> bool {
    text.contains(MARK) || text.contains(WITHOUT_COLON)
}

/// Marks the answers whose reasons are all accepted by comments. Adds a warning for each comment
/// that accepts nothing although it was asked, and a problem for each that cannot be understood.
pub fn apply(report: &mut Report, texts: &Texts) {
    let mut allowances = Vec::new();
    for (file, text) in texts.iter().filter(|(_, text)| has_comments(text)) {
        read(file, text, &mut allowances, &mut report.problems);
    }
    for finding in &mut report.findings {
        if finding.answer == Answer::Proved || finding.causes.is_empty() {
            continue;
        }
        let mut is_accepted = true;
        for cause in &finding.causes {
            let mut meant: Vec<&mut Allowance> =
                allowances.iter_mut().filter(|it| it.accepts(finding, cause)).collect();
            meant.iter_mut().for_each(|it| it.is_used = true);
            is_accepted &= !meant.is_empty();
        }
        if is_accepted {
            finding.accepted = Some(Accepted::Comment);
        }
    }
    let asked: BTreeSet<&str> = report.findings.iter().map(|it| it.property.as_str()).collect();
    let unread: BTreeSet<&str> =
        report.problems.iter().map(|it| it.location.file.as_str()).collect();
    let unused = allowances.iter().filter(|it| !it.is_used);
    let unused = unused.filter(|it| !unread.contains(it.place.file.as_str()));
    let warnings: Vec<Problem> = unused.filter_map(|it| it.complaint(&asked)).collect();
    report.warnings.extend(warnings);
}

impl Allowance {
    fn accepts(&self, finding: &Finding, cause: &Cause) -> bool {
        let is_meant = self.name == cause.code || self.name == finding.property;
        let is_here = match (&self.region, &cause.location) {
            (Region::File, Some(place)) => place.file == self.place.file,
            (Region::Lines(lines) | Region::Function(_, lines), Some(place)) => {
                place.file == self.place.file && place.line.is_some_and(|it| lines.contains(&it))
            }
            (Region::File, None) => finding.file == self.place.file,
            (Region::Function(name, _), None) => {
                finding.file == self.place.file && finding.entry == *name
            }
            (Region::Lines(_), None) => false,
        };
        is_meant && is_here
    }

    /// Why a comment that accepts nothing should go; nothing, if its question was not asked.
    fn complaint(&self, asked: &BTreeSet<&str>) -> Option<Problem> {
        let (name, page) = (&self.name, codes::find(&self.name));
        let region = match self.region {
            Region::Lines(_) => "on this line",
            Region::Function(..) => "in this function",
            Region::File => "in this file",
        };
        let message = match page {
            None if Question::from_name(name).is_none() => {
                format!("there is no code or property `{name}` to allow")
            }
            None if asked.contains(name.as_str()) => {
                format!("nothing {region} is about {name}, so there is nothing to allow")
            }
            Some(page) if is_asked(page.code, asked) => {
                format!("nothing {region} is {}, so there is nothing to allow", page.code)
            }
            None | Some(_) => return None,
        };
        Some(Problem { message, location: self.place.clone() })
    }
}

/// Whether a question was asked whose answer could have this code.
fn is_asked(code: &str, asked: &BTreeSet<&str>) -> bool {
    match code {
        "W010" => asked.contains("memsafety"),
        "W011" => asked.contains("memcleanup"),
        "W012" => asked.contains("reach"),
        "W030" | "W050" => asked.contains("termination"),
        _ => !asked.is_empty(),
    }
}

/// Reads the comments of a file.
fn read(file: &str, text: &str, found: &mut Vec<Allowance>, problems: &mut Vec<Problem>) {
    let lines: Vec<&str> = text.lines().collect();
    let mut is_in_comment = false;
    for (index, line) in lines.iter().enumerate() {
        let (_, comment) = divided(line, &mut is_in_comment);
        let Some((start, directive)) = directive(&comment) else { continue };
        let is_first = is_first(&line[..start]);
        let number = number_of(index);
        let column = number_of(line[..start].chars().count());
        let length = number_of(directive.trim_end().chars().count()).saturating_sub(1);
        let place =
            Location { file: file.to_owned(), line: Some(number), column: Some(column), length };
        match names(directive) {
            Ok((word, names)) => {
                let region = match word {
                    "allow-file" => Some(Region::File),
                    "allow-function" => function_after(&lines, index),
                    _ => Some(Region::Lines(lines_meant(&lines, index, start))),
                };
                let Some(region) = region else {
                    let message = "no function follows that could be allowed anything".to_owned();
                    problems.push(Problem { message, location: place });
                    continue;
                };
                found.extend(names.into_iter().map(|name| {
                    let (place, region) = (place.clone(), region.clone());
                    Allowance { place, name, region, is_used: false }
                }));
            }
            Err(message) if is_first => problems.push(Problem { message, location: place }),
            // Prose that speaks of wane.
            Err(_) => {}
        }
    }
}

/// The number of a line or column by its index.
fn number_of(index: usize) -> u32 {
    u32::try_from(index).map_or(u32::MAX, |it| it.saturating_add(1))
}

/// What stands from the mark in a comment on, up to the comment's end, and where the mark starts.
fn directive(comment: &str) -> Option<(usize, &str)> {
    let forgotten = || comment.find(WITHOUT_COLON).filter(|it| is_first(&comment[..*it]));
    let start = comment.find(MARK).or_else(forgotten)?;
    let rest = &comment[start..];
    Some((start, rest.split("*/").next().unwrap_or(rest)))
}

/// Whether nothing of a comment stands before its mark, so that it can be meant for wane only.
fn is_first(before: &str) -> bool {
    let before = before.trim_end();
    before.ends_with("//") || before.ends_with("/*") || before.trim_start() == "*"
}

/// The word of a directive, and the names in its parentheses.
fn names(directive: &str) -> Result<(&str, Vec<String>), String> {
    let Some(text) = directive.strip_prefix(MARK).map(str::trim) else {
        let text = directive.trim_end().trim_start_matches("wane");
        return Err(format!("a colon is missing: `wane:{text}`"));
    };
    let end = text.find(|it: char| !it.is_ascii_alphanumeric() && it != '-');
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    if !["allow", "allow-function", "allow-file"].contains(&word) {
        return Err(format!("`{word}` is none of allow, allow-function and allow-file"));
    }
    let inside = rest.trim_start().strip_prefix('(').and_then(|it| it.split_once(')'));
    let names = inside.into_iter().flat_map(|(names, _)| names.split(',').map(str::trim));
    // `50` is W050.
    let plain = |name: &str| codes::find(name).map_or(name, |page| page.code).to_owned();
    let names: Vec<String> = names.filter(|it| !it.is_empty()).map(plain).collect();
    if names.is_empty() {
        return Err(format!("codes or properties stand in parentheses: `wane: {word}(W010)`"));
    }
    Ok((word, names))
}

/// The line of a comment, or the next one with code where nothing else stands on its own.
fn lines_meant(lines: &[&str], index: usize, start: usize) -> RangeInclusive<u32> {
    let is_comment = |line: &str| {
        let line = line.trim();
        line.is_empty() || ["//", "*"].iter().any(|it| line.starts_with(it))
    };
    let before = lines[index][..start].trim();
    let behind = lines[index][start..].split_once("*/").map_or("", |(_, it)| it.trim());
    let is_alone = ["//", "/*", "*"].iter().any(|it| before.starts_with(it)) && behind.is_empty();
    let next = lines[index + 1..].iter().position(|line| !is_comment(line));
    let meant = if is_alone { next.map_or(index, |it| index + 1 + it) } else { index };
    number_of(meant)..=number_of(meant)
}

/// The function that is defined next: its name, and its lines with the comment's.
fn function_after(lines: &[&str], index: usize) -> Option<Region> {
    let (mut head, mut depth) = (String::new(), 0_u32);
    let mut is_in_comment = false;
    for (number, line) in lines.iter().enumerate().skip(index + 1) {
        for symbol in divided(line, &mut is_in_comment).0.chars() {
            match symbol {
                '{' => depth += 1,
                '}' => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        let lines = number_of(index)..=number_of(number);
                        return Some(Region::Function(name_of(&head)?, lines));
                    }
                }
                ';' if depth == 0 => return None,
                _ if depth == 0 => head.push(symbol),
                _ => {}
            }
        }
    }
    None
}

/// The name of a function, by the text before its body.
fn name_of(head: &str) -> Option<String> {
    let (before, _) = head.split_once('(')?;
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let name = before.trim_end().rsplit(|it| !is_part(it)).next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// The code of a line, without what stands between quotes and with a blank for its end; and its
/// comments, with blanks for all that is none.
fn divided(line: &str, is_in_comment: &mut bool) -> (String, String) {
    let (mut code, mut comment) = (String::new(), String::new());
    let (mut quote, mut is_to_the_end) = (None, false);
    let mut symbols = line.chars().peekable();
    while let Some(symbol) = symbols.next() {
        let is_comment = *is_in_comment || is_to_the_end;
        let n_blanks = if is_comment { 0 } else { symbol.len_utf8() };
        match (symbol, symbols.peek().copied()) {
            ('*', Some('/')) if *is_in_comment => {
                symbols.next();
                comment.push_str("*/");
                *is_in_comment = false;
            }
            _ if is_comment => comment.push(symbol),
            ('\\', Some(escaped)) if quote.is_some() => {
                symbols.next();
                comment.push_str(&" ".repeat(escaped.len_utf8()));
            }
            _ if quote == Some(symbol) => quote = None,
            _ if quote.is_some() => {}
            ('"' | '\'', _) => quote = Some(symbol),
            ('/', Some(next @ ('/' | '*'))) => {
                symbols.next();
                comment.extend([symbol, next]);
                is_to_the_end = next == '/';
                *is_in_comment = next == '*';
                continue;
            }
            _ => code.push(symbol),
        }
        comment.push_str(&" ".repeat(n_blanks));
    }
    (code + " ", comment)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regions(text: &str) -> Vec<(String, String)> {
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        read("a.c", text, &mut found, &mut problems);
        let shown = |it: &Allowance| match &it.region {
            Region::Lines(lines) => format!("{}-{}", lines.start(), lines.end()),
            Region::Function(name, lines) => format!("{name} {}-{}", lines.start(), lines.end()),
            Region::File => "file".to_owned(),
        };
        let mut all: Vec<(String, String)> =
            found.iter().map(|it| (it.name.clone(), shown(it))).collect();
        all.extend(problems.into_iter().map(|it| ("problem".to_owned(), it.message)));
        all
    }

    fn is_read_as(text: &str, expected: &[(&str, &str)]) {
        let expected: Vec<(String, String)> = expected
            .iter()
            .map(|(name, region)| ((*name).to_owned(), (*region).to_owned()))
            .collect();
        assert_eq!(regions(text), expected, "{text}");
    }

    #[test]
    fn comments_are_about_lines_functions_and_files() {
        is_read_as("x = 0; // wane: allow(W010)\n", &[("W010", "1-1")]);
        is_read_as("x = 0; // wane: allow(10, w050)\n", &[("W010", "1-1"), ("W050", "1-1")]);
        is_read_as(
            "x = 0; /* wane: allow(W010, W011) */ y();\n",
            &[("W010", "1-1"), ("W011", "1-1")],
        );
        is_read_as(
            "// wane: allow(termination)\n\n  // why\nwhile (1);\n",
            &[("termination", "4-4")],
        );
        is_read_as("/* wane: allow-file(W033) */\nint x;\n", &[("W033", "file")]);
        let function = "// wane: allow-function(W030)\nstatic int *f(int (*g)(void),\n  int n)\n{ \
                        // }\n  char c = '}';\n  if (n) { puts(\"}\\\"}\"); } /* }\n } */\n}\nint z;\n";
        is_read_as(function, &[("W030", "f 1-8")]);
        is_read_as("x = 0; // for now; wane: allow(W010)\n", &[("W010", "1-1")]);
        is_read_as("/*\n * wane: allow-file(W033)\n */\n", &[("W033", "file")]);
        is_read_as("/*\n * wane: allow(W033)\n */\nwhile (1);\n", &[("W033", "4-4")]);
        is_read_as("puts(\"wane: allow(W010)\"); // what wane: that is a prover, allow it\n", &[]);
        is_read_as(
            "puts(\"é\\\" // wane: allow(W010)\"); /* é */ x(); // wane: allow(W011)\n",
            &[("W011", "1-1")],
        );
        is_read_as("puts(\"/*\"); // it\n*p = '\"'; \"// wane: alow\"; \"/*\"\n * wane: 3\n", &[]);
    }

    #[test]
    fn comments_that_say_nothing_are_errors() {
        let parentheses = "codes or properties stand in parentheses: `wane: allow(W010)`";
        is_read_as("x = 0; // wane: allow W010\n", &[("problem", parentheses)]);
        is_read_as("x = 0; // wane: allow()\n", &[("problem", parentheses)]);
        let colon = "a colon is missing: `wane: allow(W050)`";
        is_read_as("for (;;) ; // wane allow(W050)\n", &[("problem", colon)]);
        is_read_as("/*\n * wane allow(W050)\n */\n", &[("problem", colon)]);
        is_read_as("// that wane allows, wane allow(W050) does\n", &[]);
        let unknown = "`alow` is none of allow, allow-function and allow-file";
        is_read_as("x = 0; // wane: alow(W010)\n", &[("problem", unknown)]);
        let nothing = "no function follows that could be allowed anything";
        is_read_as("// wane: allow-function(W010)\nint x;\n", &[("problem", nothing)]);
    }
}
