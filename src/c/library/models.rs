//! The models of library functions: C text in `src/c/models`, a file a header.
//!
//! `__wane_f` there stands for `f`, `__threads_f` does where there are several threads, and `__summary_f` is an over-approximation of it that
//! symbolic execution runs instead; `__model_…` are helpers. A file is a list of
//! *paragraphs*, divided by blank lines: a function, a variable or a type, with its
//! comment. A program gets only the paragraphs that define what it names, and what those
//! need.

use hashbrown::{HashMap, HashSet};
use std::sync::LazyLock;

/// The files of `src/c/models` with their texts, in name order.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// What the model of a library function starts with.
pub(crate) const MODEL: &str = "__wane_";

/// What the model of a library function starts with where there are several threads.
pub(crate) const THREADS: &str = "__threads_";

/// Where a step of several accesses begins and ends.
pub(crate) const SECTION: [&str; 2] = ["__threads_begin_section", "__threads_end_section"];

/// What the name of a function starts with whose calls are one step each (rules of the
/// verification competition).
pub(crate) const ONE_STEP: &str = "__VERIFIER_atomic_";

/// What a helper of the models starts with.
pub(crate) const HELPER: &str = "__model_";
/// What a variable of the models starts with that says what the program has done itself: nothing
/// at first, of a function by itself as well.
pub(crate) const OWN: &str = "__model_own_";
/// The helper that makes up a result which is not zero; 1 where nothing else matters.
pub(crate) const NONZERO: &str = "__model_result_nonzero";

/// The variable of the models that counts the numbers that were drawn: whichever is drawn first, as
/// many are drawn, and each is any number.
pub(crate) const DRAWN: &str = "__model_own_drawn";

/// What an over-approximation of a model or helper starts with.
const SUMMARY: &str = "__summary_";

/// The helper that makes what `main` is given: each program may need it.
pub(crate) const START_TEXTS: &str = "__model_start_texts";
/// The same for a program that goes through them: of the other one the first few are known best.
pub(crate) const TEXTS_IN_TURN: &str = "__model_texts_in_turn";

/// What a call of a helper starts with that happens only in programs that get the helper
/// for another reason.
const OPTIONAL: &str = "__optional_";

/// The helper that is called where the program got it.
pub(crate) fn optional(name: &str) -> Option<String> {
    name.strip_prefix(OPTIONAL).map(|plain| format!("{HELPER}{plain}"))
}

/// Whether a library function may leave some number in `errno` though it does not say so
/// (C11 7.5p3).
pub(crate) fn may_set_errno(name: &str) -> bool {
    const FILES_THAT_DO: [&str; 14] = [
        "dirent.c",
        "environment.c",
        "format.c",
        "locks.c",
        "process.c",
        "signal.c",
        "socket.c",
        "stdio.c",
        "stdlib.c",
        "sys.c",
        "terminal.c",
        "time.c",
        "unistd.c",
        "wide_stdio.c",
    ];
    const THAT_SAY_SO: [&str; 2] = ["strto", "ffs"];
    let plain = plain_name(name);
    let wanted = format!("{MODEL}{plain}(");
    !THAT_SAY_SO.iter().any(|prefix| plain.starts_with(prefix))
        && FILES.iter().any(|(file, text)| FILES_THAT_DO.contains(file) && text.contains(&wanted))
}

/// Whether a file of the models has a model of a function.
pub(crate) fn is_of_file(file: &str, name: &str) -> bool {
    let wanted = format!("{MODEL}{}(", plain_name(name));
    FILES.iter().any(|(known, text)| *known == file && text.contains(&wanted))
}

/// Whether a name belongs to the models.
pub(crate) fn is_of_models(name: &str) -> bool {
    [MODEL, THREADS, HELPER, SUMMARY].iter().any(|prefix| name.starts_with(prefix))
}

/// The name of the over-approximation of a model or helper.
pub(crate) fn summary_of(name: &str) -> Option<String> {
    let plain = name.strip_prefix(MODEL).or_else(|| name.strip_prefix(HELPER))?;
    Some(format!("{SUMMARY}{plain}"))
}

/// One definition of a model, with its comment.
struct Paragraph {
    text: &'static str,
    /// What it defines.
    defines: Option<&'static str>,
}

/// The model text for the preprocessed files of a program.
pub(crate) fn text_for(files: &[&str]) -> String {
    let (paragraphs, index) = (&*PARAGRAPHS, &*INDEX);
    let mut open: Vec<String> = files.iter().flat_map(|file| users_names(file)).collect();
    let mut taken = vec![false; paragraphs.len()];
    while let Some(name) = open.pop() {
        let Some(position) = index.get(name.as_str()) else { continue };
        if !std::mem::replace(&mut taken[*position], true) {
            open.extend(needs(paragraphs[*position].text).map(str::to_owned));
            open.extend(summary_of(&name));
        }
    }
    let chosen = paragraphs.iter().zip(&taken).filter(|(_, taken)| **taken);
    chosen.fold(String::new(), |mut text, (paragraph, _)| {
        text.push_str(paragraph.text);
        text.push('\n');
        text
    })
}

/// The name under which a model is kept: that of the function without what a compiler
/// or a hardened library puts around it.
pub(crate) fn plain_name(name: &str) -> &str {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let checked = plain.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk"));
    let plain = checked.unwrap_or(plain);
    ["__isoc99_", "__isoc23_"].iter().find_map(|it| plain.strip_prefix(it)).unwrap_or(plain)
}

/// All paragraphs of all files, in order.
static PARAGRAPHS: LazyLock<Vec<Paragraph>> = LazyLock::new(|| {
    let texts = FILES.iter().flat_map(|(_, text)| text.split("\n\n"));
    let texts = texts.filter(|text| !text.trim().is_empty());
    texts.map(|text| Paragraph { text, defines: defined_name(text) }).collect()
});

/// Which paragraph defines a name.
static INDEX: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
    let paragraphs = PARAGRAPHS.iter().enumerate();
    paragraphs.filter_map(|(position, paragraph)| Some((paragraph.defines?, position))).collect()
});

/// The name that a paragraph defines: the first one of a model at the left margin that is
/// followed by what follows a name that is declared.
fn defined_name(text: &'static str) -> Option<&'static str> {
    let lines = text.lines().filter(|line| !line.starts_with([' ', '/', '}', '\t']));
    lines.flat_map(|line| names_of(line).map(move |name| (line, name))).find_map(|(line, name)| {
        let end = name.as_ptr() as usize - line.as_ptr() as usize + name.len();
        let declares = line[end..].trim_start().starts_with(['(', ';', '=', '[', '{']);
        (declares && is_of_models(name)).then_some(name)
    })
}

/// The names of models that a text mentions.
fn needs(text: &'static str) -> impl Iterator<Item = &'static str> {
    names_of(text).filter(|name| is_of_models(name))
}

/// The identifiers in a text.
fn names_of(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.split(move |character: char| !is_part(character))
        .filter(|word| word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_'))
}

/// The models of the names in what the user wrote: the headers of the system declare far
/// more than the program uses.
fn users_names(program: &str) -> Vec<String> {
    let mut names = HashSet::new();
    let mut is_users = true;
    for line in program.lines() {
        match line.strip_prefix("# ") {
            Some(marker) => is_users = !marker.contains("\"/usr/"),
            None if is_users => names.extend(names_of(line)),
            None => {}
        }
    }
    const ATOMIC: [&str; 5] = ["__atomic_", "__sync_", "atomic_", "_Atomic", ONE_STEP];
    let is_atomic = |name: &&str| ATOMIC.iter().any(|it| name.starts_with(it));
    let sections = if names.iter().any(is_atomic) { &SECTION[..] } else { &[] };
    let in_both = |name| [MODEL, THREADS].map(|kind| format!("{kind}{}", plain_name(name)));
    let mut plain: Vec<String> = names.into_iter().flat_map(in_both).collect();
    plain.extend(sections.iter().map(|it| (*it).to_owned()));
    plain.sort_unstable();
    plain.extend([START_TEXTS, TEXTS_IN_TURN].map(str::to_owned));
    plain
}

/// Whether there is a model of a function.
pub(crate) fn has_model(name: &str) -> bool {
    let wanted = format!("{MODEL}{}", plain_name(name));
    INDEX.contains_key(wanted.as_str())
}

#[cfg(test)]
mod tests {
    use super::{FILES, PARAGRAPHS, defined_name, text_for};

    #[test]
    fn each_paragraph_defines_one_name_and_is_whole() {
        for paragraph in &*PARAGRAPHS {
            let is_comment = paragraph.text.starts_with("/*") && paragraph.text.ends_with("*/");
            assert!(is_comment || paragraph.defines.is_some(), "{}", paragraph.text);
            let count = |wanted| paragraph.text.matches(wanted).count();
            assert_eq!(count('{'), count('}'), "{}", paragraph.text);
        }
        assert!(!FILES.is_empty());
    }

    #[test]
    fn no_name_is_defined_twice() {
        let mut names: Vec<_> = PARAGRAPHS.iter().filter_map(|it| it.defines).collect();
        let n_all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n_all);
    }

    #[test]
    fn a_program_gets_what_it_names() {
        let text =
            text_for(&["# 1 \"/usr/include/string.h\"\nint strcmp();\n# 1 \"a.c\"\nstrdup(x);\n"]);
        assert!(text.contains("__wane_strdup(") && text.contains("__wane_strlen("));
        assert!(!text.contains("__wane_strcmp("));
    }

    #[test]
    fn names_stand_at_the_left_margin() {
        let function = "static int __wane_f(int x)\n{\n    __wane_g();\n}";
        assert_eq!(defined_name(function), Some("__wane_f"));
        assert_eq!(defined_name("struct __model_s {\n    int x;\n};"), Some("__model_s"));
    }
}
