//! Preprocessed texts without the declarations from headers that they do not use.

use std::collections::BTreeSet;

/// The head without the declarations that nothing in the body needs, nor in what
/// stays. It is cut after each `;` or `}` outside of brackets; what is declared is
/// guessed, in doubt too much.
pub(crate) fn needed(head: &str, body: &str) -> String {
    let mut used: BTreeSet<&str> = names(body).collect();
    let mut kept: Vec<&str> = Vec::new();
    for piece in pieces(head).into_iter().rev() {
        let is_needed = declared(piece).any(|name| used.contains(name));
        if is_needed {
            used.extend(names(piece));
            kept.push(piece);
        }
    }
    kept.reverse();
    let mut text = kept.concat();
    text.push('\n');
    text
}

/// Lines of the preprocessor are no part of a declaration.
fn without_markers(piece: &str) -> impl Iterator<Item = &str> {
    piece.lines().filter(|line| !line.starts_with('#'))
}

fn pieces(head: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth, mut is_marker) = (Vec::new(), 0, 0_usize, false);
    let mut line_starts = true;
    for (at, character) in head.char_indices() {
        match character {
            '\n' => is_marker = false,
            '#' if line_starts => is_marker = true,
            '(' | '{' | '[' if !is_marker => depth += 1,
            ')' | '}' | ']' if !is_marker => depth = depth.saturating_sub(1),
            ';' if !is_marker && depth == 0 => {
                found.push(&head[start..=at]);
                start = at + 1;
            }
            _ => {}
        }
        line_starts = character == '\n';
    }
    found.push(&head[start..]);
    found
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    without_markers(text).flat_map(move |line| line.split(move |it| !is_name(it))).filter(|word| {
        word.starts_with(|it: char| it.is_alphabetic() || it == '_') && !KEYWORDS.contains(word)
    })
}

/// Words that declare nothing.
const KEYWORDS: [&str; 20] = [
    "extern",
    "static",
    "const",
    "unsigned",
    "signed",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "void",
    "struct",
    "union",
    "enum",
    "typedef",
    "__attribute__",
    "__extension__",
    "__restrict",
    "__asm__",
];

/// What may be declared: the names in front of the first bracket behind a name, the last
/// name, and everything between braces.
fn declared(piece: &str) -> impl Iterator<Item = &str> {
    let start = piece.len() - piece.trim_start().len();
    let text = &piece[start..];
    let call = text.find("__attribute__").unwrap_or(text.len());
    let text_before = &text[..call];
    let braces = text.find('{').zip(text.rfind('}')).filter(|(from, to)| from < to);
    let last = match braces {
        Some((_, to)) => names(&text[to..]).next(),
        None => match text_before.find('(') {
            Some(open) if names(&text_before[..open]).count() > 0 => {
                names(&text_before[..open]).last()
            }
            _ => names(text_before).last(),
        },
    };
    let tags = braces.map_or("", |(from, _)| &text[..from]);
    let inner = braces.map_or("", |(from, to)| &text[from..to]);
    let constants = if tags.contains("enum") { inner } else { "" };
    let pointer = text_before.find("(*").map_or("", |at| &text_before[at..]);
    last.into_iter().chain(names(tags)).chain(names(constants)).chain(names(pointer).take(1))
}
