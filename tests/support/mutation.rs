//! Texts with random changes: words and pieces removed, replaced, repeated, inserted.

/// A source of numbers (Marsaglia's xorshift).
pub(crate) struct Dice(u64);

impl Dice {
    /// The numbers that belong to an input.
    pub(crate) fn of_input(number: usize) -> Self {
        let mixed = (number as u64 + 1).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mut dice = Self(0x9e37_79b9_7f4a_7c15 ^ mixed);
        dice.below(2);
        dice
    }

    /// The next one, below a limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(usize::MAX) % limit.max(1)
    }
}

/// What is put in.
const WORDS: &[&str] = &[
    "0",
    "-1",
    "1",
    "2147483647",
    "9223372036854775807",
    "18446744073709551615",
    "0x80000000",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "->",
    ".",
    "=",
    "==",
    "<",
    "+",
    "-",
    "/",
    "%",
    "<<",
    "!",
    "~",
    "?",
    ":",
    "int",
    "char",
    "unsigned",
    "long",
    "void",
    "struct",
    "union",
    "enum",
    "static",
    "extern",
    "const",
    "typedef",
    "sizeof",
    "if",
    "else",
    "while",
    "for",
    "do",
    "goto",
    "return",
    "break",
    "continue",
    "switch",
    "case",
    "default",
    "malloc",
    "free",
    "main",
    "float",
    "double",
    "_Bool",
    "__int128",
    "__typeof__",
    "__attribute__((packed))",
    "\"text\"",
    "'c'",
    "abort",
    "memcpy",
    "memset",
    "realloc",
    "calloc",
    "alloca",
    "inline",
    "register",
    "asm",
    "...",
    "procedure",
    "assume",
    "havoc",
    "\u{e9}",
    "\0",
    "#",
    "\\",
    "\n# 7 \"b.c\"\n",
];

/// The first word or sign at a place or behind it.
fn word_at(text: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let rest = text.get(from..)?;
    let start = from + rest.find(|it: char| !it.is_whitespace())?;
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    let first = text[start..].chars().next()?;
    let length = if is_name(first) {
        text[start..].find(|it| !is_name(it)).unwrap_or(text.len() - start)
    } else {
        first.len_utf8()
    };
    Some(start..start + length)
}

/// The first place from here on where a character begins.
pub(crate) fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// A text with up to four changes; some put pieces of the others into it. Of three
/// texts, about two are changed in ways that mostly leave a program.
pub(crate) fn mutate(text: &str, others: &[&str], dice: &mut Dice) -> String {
    let mut body = text.to_owned();
    let is_gentle = dice.below(3) > 0;
    for _ in 0..=dice.below(4) {
        if is_gentle {
            change_gently(&mut body, dice);
        } else {
            change(&mut body, others, dice);
        }
    }
    body
}

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "16",
    "24",
    "100",
    "1000",
    "-1",
    "255",
    "65536",
    "2147483647",
    "0x80000000",
    "9223372036854775807",
];
const OPERATORS: &[&str] = &[
    " < ", " <= ", " > ", " >= ", " == ", " != ", " + ", " - ", " * ", " / ", " % ", " && ", " || ",
];

/// One change that mostly leaves a program: a name, number, operator or line becomes
/// another one.
fn change_gently(body: &mut String, dice: &mut Dice) {
    let at = boundary(body, dice.below(body.len() + 1));
    let is_digit = |it: char| it.is_ascii_digit();
    match dice.below(8) {
        0 | 1 => {
            let from = boundary(body, dice.below(body.len() + 1));
            let is_name = |word: &str| {
                word.starts_with(|it: char| it.is_alphabetic()) && !WORDS.contains(&word)
            };
            let ends = (word_like(body, at, is_name), word_like(body, from, is_name));
            let (Some(word), Some(other)) = ends else { return };
            let other = body[other].to_owned();
            body.replace_range(word, &other);
        }
        2 | 3 => {
            let Some(word) = word_like(body, at, |word| word.starts_with(is_digit)) else { return };
            body.replace_range(word, NUMBERS[dice.below(NUMBERS.len())]);
        }
        4 => {
            let found =
                OPERATORS.iter().filter_map(|it| Some((at + body[at..].find(it)?, it.len())));
            let Some((start, length)) = found.min() else { return };
            body.replace_range(start..start + length, OPERATORS[dice.below(OPERATORS.len())]);
        }
        5 => {
            let Some(line) = statement(body, at) else { return };
            body.replace_range(line, "");
        }
        6 => {
            let from = boundary(body, dice.below(body.len() + 1));
            let (Some(line), Some(to)) = (statement(body, from), statement(body, at)) else {
                return;
            };
            let line = body[line].to_owned();
            body.insert_str(to.end, &line);
        }
        _ => {
            let from = boundary(body, dice.below(body.len() + 1));
            let (Some(line), Some(to)) = (statement(body, from), statement(body, at)) else {
                return;
            };
            let (line, other) = (body[line].to_owned(), to);
            body.replace_range(other, &line);
        }
    }
}

/// The first word of some kind behind a place, if one is near.
fn word_like(
    text: &str,
    mut from: usize,
    is_wanted: impl Fn(&str) -> bool,
) -> Option<std::ops::Range<usize>> {
    for _ in 0..40 {
        let word = word_at(text, from)?;
        if is_wanted(&text[word.clone()]) {
            return Some(word);
        }
        from = word.end;
    }
    None
}

/// The first whole line behind a place that is a statement.
fn statement(text: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let mut start = from + text[from..].find('\n')? + 1;
    loop {
        let length = text[start..].find('\n')? + 1;
        let line = text[start..start + length].trim();
        let is_whole = line.ends_with(';') && !line.starts_with('}') && !line.contains('{');
        if is_whole {
            return Some(start..start + length);
        }
        start += length;
    }
}

/// One change of any kind.
fn change(body: &mut String, others: &[&str], dice: &mut Dice) {
    let at = boundary(body, dice.below(body.len() + 1));
    let Some(word) = word_at(body, at) else { return };
    match dice.below(7) {
        0 => body.replace_range(word, ""),
        1 => body.replace_range(word, WORDS[dice.below(WORDS.len())]),
        2 => body.insert_str(word.end, &format!(" {} ", WORDS[dice.below(WORDS.len())])),
        3 => {
            let from = boundary(body, dice.below(body.len()));
            let Some(other) = word_at(body, from) else { return };
            let other = body[other].to_owned();
            body.replace_range(word, &other);
        }
        4 => {
            let end = boundary(body, (at + dice.below(60)).min(body.len()));
            body.replace_range(at..end, "");
        }
        5 => {
            let end = boundary(body, (at + dice.below(80)).min(body.len()));
            let piece = body[at..end].to_owned();
            body.insert_str(end, &piece.repeat(1 + dice.below(3)));
        }
        _ => {
            let own = others[dice.below(others.len())];
            let from = boundary(own, dice.below(own.len()));
            let end = boundary(own, (from + dice.below(120)).min(own.len()));
            body.insert_str(at, &own[from..end]);
        }
    }
}
