//! Which files are one program.
//!
//! Files that are given together are linked. Where several of them define `main`, there is a
//! program for each, with the files that it needs: what it mentions is looked for in the files
//! without `main`, as a linker looks in a library.

use super::read::parse;
use c::{self, Extent, Input, Parsed, PreprocessedSource, Symbols};
use report::Problem;
use std::collections::BTreeSet;
use std::sync::Arc;

/// More text than this is not linked: each file is a program of its own.
pub const MOST_LINKED_BYTES: usize = 48 << 20;

/// The files of a program by their positions, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The files.
    pub files: Vec<usize>,
    /// Whether these are all.
    pub extent: Extent,
}

impl Selection {
    fn whole(files: Vec<usize>) -> Self {
        Self { files, extent: Extent::Whole }
    }
}

/// Divides files into programs.
#[must_use]
pub fn programs(sources: &[PreprocessedSource], input: Input) -> Vec<Selection> {
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
        vec![Selection::whole(all.collect())]
    } else {
        all.map(|it| Selection { files: vec![it], extent: Extent::Part }).collect()
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
fn divided(files: &[Option<Symbols>]) -> Vec<Selection> {
    let mains = (0..files.len()).filter(|index| has_main(files[*index].as_ref()));
    let mains: Vec<usize> = mains.collect();
    let mut programs: Vec<Selection> =
        mains.iter().map(|main| selected(*main, files, &mains)).collect();
    let mut taken: BTreeSet<usize> = programs.iter().flat_map(|it| &it.files).copied().collect();
    let unreadable = (0..files.len()).filter(|index| files[*index].is_none());
    programs.extend(unreadable.clone().map(|index| Selection::whole(vec![index])));
    taken.extend(unreadable);
    let rest: Vec<usize> = (0..files.len()).filter(|index| !taken.contains(index)).collect();
    programs.extend(without_main(rest, files));
    programs.sort_by(|left, right| left.files.cmp(&right.files));
    programs
}

/// The programs of files that no `main` needs: one, unless they cannot be linked.
fn without_main(rest: Vec<usize>, files: &[Option<Symbols>]) -> Vec<Selection> {
    let mut known = BTreeSet::new();
    let mut names =
        rest.iter().filter_map(|index| files[*index].as_ref()).flat_map(|it| &it.defined);
    if rest.is_empty() {
        Vec::new()
    } else if names.all(|name| known.insert(name)) {
        vec![Selection::whole(rest)]
    } else {
        let alone = |index| Selection { files: vec![index], extent: Extent::Part };
        rest.into_iter().map(alone).collect()
    }
}

/// A file with `main` and those without it that define what it needs, or what these need. What
/// several define is left open.
fn selected(main: usize, files: &[Option<Symbols>], mains: &[usize]) -> Selection {
    let mut program = BTreeSet::from([main]);
    let mut defined: BTreeSet<&str> = BTreeSet::new();
    let mut doubtful: BTreeSet<&str> = BTreeSet::new();
    let mut open = vec![main];
    while let Some(symbols) = open.pop().and_then(|index| files[index].as_ref()) {
        defined.extend(symbols.defined.iter().map(String::as_str));
        for name in symbols.mentioned.iter().filter(|name| !defined.contains(name.as_str())) {
            let has =
                |index: &usize| files[*index].as_ref().is_some_and(|it| it.defined.contains(name));
            let libraries = (0..files.len()).filter(|index| !mains.contains(index));
            let found: Vec<usize> = libraries.filter(has).collect();
            match found[..] {
                [only] => open.extend(program.insert(only).then_some(only)),
                [] => {}
                [..] => drop(doubtful.insert(name)),
            }
        }
    }
    let extent = match doubtful.is_subset(&defined) {
        false => Extent::Part,
        true if program.len() < files.len() => Extent::Chosen,
        true => Extent::Whole,
    };
    Selection { files: program.into_iter().collect(), extent }
}

/// Parses the files of a program, some of which are models of functions, beside others that cannot
/// be read. A file that is no C is left out, and told of.
#[must_use]
pub fn parse_program(
    sources: &[PreprocessedSource],
    input: Input,
    (extent, unread, models): (Extent, &[String], &BTreeSet<String>),
) -> (Option<Arc<Parsed>>, Vec<Problem>) {
    let mut unread = unread.to_vec();
    let models = || models.iter().cloned().collect();
    let problems = match parse(sources, input) {
        Ok(parsed) => {
            let parsed = parsed.with_extent(extent).beside(unread).with_models(models());
            return (Some(Arc::new(parsed)), Vec::new());
        }
        Err(problems) => problems,
    };
    let (mut left, mut found) = (Vec::new(), Vec::new());
    for source in sources {
        match parse(std::slice::from_ref(source), input) {
            Ok(_) => left.push(source.clone()),
            Err(problems) => {
                unread.push(source.name.clone());
                found.extend(problems);
            }
        }
    }
    if left.is_empty() {
        return (None, found);
    }
    match parse(&left, input) {
        Ok(parsed) => {
            let parsed = parsed.with_extent(Extent::Part).beside(unread).with_models(models());
            (Some(Arc::new(parsed)), found)
        }
        Err(_) => (None, problems),
    }
}
