//! Which files are one program.
//!
//! Files that are given together are linked. Where several of them define `main`, there is a
//! program for each, with the files that it needs: what it mentions is looked for in the files
//! without `main`, as a linker looks in a library.

use super::read::parse;
use crate::c::{self, Input, Parsed, PreprocessedSource, Symbols};
use crate::report::Problem;
use std::collections::BTreeSet;
use std::sync::Arc;

/// More text than this is not linked: each file is a program of its own.
pub const MOST_LINKED_BYTES: usize = 48 << 20;

/// Divides files into programs: the positions of the files of each, in order.
#[must_use]
pub fn programs(sources: &[PreprocessedSource], input: Input) -> Vec<Vec<usize>> {
    let n_mains = sources.iter().filter(|source| mentions_main(&source.text)).count();
    if n_mains > 1 {
        // A file that is no C is told of when it is read as a program.
        let symbols = |source: &PreprocessedSource| {
            let parsed = c::parse(std::slice::from_ref(source), input).ok();
            parsed.as_ref().map(c::symbols)
        };
        let files: Vec<Option<Symbols>> = sources.iter().map(symbols).collect();
        if files.iter().filter(|file| has_main(file.as_ref())).count() > 1 {
            return divided(&files);
        }
    }
    let all = 0..sources.len();
    let n_bytes: usize = sources.iter().map(|source| source.text.len()).sum();
    if n_bytes <= MOST_LINKED_BYTES {
        vec![all.collect()]
    } else {
        all.map(|it| vec![it]).collect()
    }
}

fn has_main(file: Option<&Symbols>) -> bool {
    file.is_some_and(|file| file.defined.contains("main"))
}

/// Whether a text may define `main`.
fn mentions_main(text: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    text.match_indices("main").any(|(at, word)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

/// The programs of files with these names.
fn divided(files: &[Option<Symbols>]) -> Vec<Vec<usize>> {
    let mains = (0..files.len()).filter(|index| has_main(files[*index].as_ref()));
    let mains: Vec<usize> = mains.collect();
    let mut programs: Vec<Vec<usize>> = Vec::new();
    let mut taken: BTreeSet<usize> = mains.iter().copied().collect();
    for main in &mains {
        let needed = needed(*main, files, &mains);
        taken.extend(&needed);
        programs.push(needed.into_iter().collect());
    }
    let unreadable = (0..files.len()).filter(|index| files[*index].is_none());
    programs.extend(unreadable.clone().map(|index| vec![index]));
    taken.extend(unreadable);
    let rest: Vec<usize> = (0..files.len()).filter(|index| !taken.contains(index)).collect();
    programs.extend((!rest.is_empty()).then_some(rest));
    programs.sort();
    programs
}

/// A file with `main` and those without it that define what it needs, or what these need. Of
/// several that define a name the first one is taken.
fn needed(main: usize, files: &[Option<Symbols>], mains: &[usize]) -> BTreeSet<usize> {
    let mut program = BTreeSet::from([main]);
    let mut defined: BTreeSet<&str> = BTreeSet::new();
    let mut open = vec![main];
    while let Some(symbols) = open.pop().and_then(|index| files[index].as_ref()) {
        defined.extend(symbols.defined.iter().map(String::as_str));
        for name in symbols.mentioned.iter().filter(|name| !defined.contains(name.as_str())) {
            let has =
                |index: &usize| files[*index].as_ref().is_some_and(|it| it.defined.contains(name));
            let found = (0..files.len()).filter(|index| !mains.contains(index)).find(has);
            open.extend(found.filter(|found| program.insert(*found)));
        }
    }
    program
}

/// Whether all files of a program could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// They could.
    Whole,
    /// Some could not: what they define is not known.
    Part,
}

/// Parses the files of a program. A file that is no C is left out, and told of.
#[must_use]
pub fn parse_program(
    sources: &[PreprocessedSource],
    input: Input,
    extent: Extent,
) -> (Option<Arc<Parsed>>, Vec<Problem>) {
    let problems = match parse(sources, input) {
        Ok(parsed) if extent == Extent::Whole => return (Some(Arc::new(parsed)), Vec::new()),
        Ok(parsed) => return (Some(Arc::new(parsed.as_part())), Vec::new()),
        Err(problems) => problems,
    };
    let (mut left, mut found) = (Vec::new(), Vec::new());
    for source in sources {
        match parse(std::slice::from_ref(source), input) {
            Ok(_) => left.push(source.clone()),
            Err(problems) => found.extend(problems),
        }
    }
    if left.is_empty() {
        return (None, found);
    }
    match parse(&left, input) {
        Ok(parsed) => (Some(Arc::new(parsed.as_part())), found),
        Err(_) => (None, problems),
    }
}
