//! Inputs that look like what people type: words and signs that the program knows, numbers, lines.
//!
//! Most programs read text, and much of what goes wrong needs text that makes sense to them. Solving
//! for it decision by decision leads there one letter at a time; guessing whole words leads there at
//! once (dictionaries of fuzzers: Zalewski, *American fuzzy lop*). What is guessed is an input like
//! any other: the interpreter says what the run does with it. Texts that lead somewhere new are
//! [learnt](learnt::Learnt), and changed.

pub mod learnt;
mod random;
mod script;
mod words;

use super::inputs::Looking;
use concrete::choices::{Choices, Occasion};
use ir::HavocSource;
use ir::expr::ScalarType;
use random::Random;
use script::Script;
use std::collections::VecDeque;
pub use words::Words;

/// Whose result is a byte of a stream, or -1 at its end.
const READERS: [&str; 10] = [
    "fgetc",
    "fgetc_unlocked",
    "fgets",
    "getc",
    "getc_unlocked",
    "getchar",
    "getchar_unlocked",
    "getdelim",
    "getline",
    "_IO_getc",
];

/// Those of them that write these into memory.
const INTO_MEMORY: [&str; 3] = ["fgets", "getdelim", "getline"];

/// Whose result is how many bytes they put into memory, which are not said.
const BLOCK_READERS: [&str; 4] = ["fread", "pread", "read", "recv"];

/// Which get numbers from a stream, and single signs.
const SCANNERS: [&str; 2] = ["scanf", "fscanf"];

/// Whether the result of a function is a byte of a stream, or -1 at its end.
#[must_use]
pub fn is_reader(name: &str) -> bool {
    READERS.contains(&name)
}

/// Whether what a function reads from a stream is written into memory, and no result of it.
#[must_use]
pub fn is_read_into_memory(name: &str) -> bool {
    INTO_MEMORY.contains(&name) || name.ends_with("scanf")
}

/// Whether a function gives numbers and words of a stream.
#[must_use]
pub fn is_scanner(name: &str) -> bool {
    SCANNERS.contains(&name)
}

/// Whether the result of a function is how many bytes it has put into memory.
#[must_use]
pub fn is_block_reader(name: &str) -> bool {
    BLOCK_READERS.contains(&name)
}

/// What chooses texts that a program is started with, and so many it gets at most.
const ARGUMENT: &str = "argv";
const MOST_ARGUMENTS: u64 = 5;

/// The longest text without a blank, and the longest line.
const LONGEST_RUN_OF_SIGNS: usize = 40;
const LONGEST_LONG_WORD: usize = 1_024;
/// So many bytes are put into memory at once that are no text.
const BYTES_OF_BLOCK: usize = 32;
/// So many of the program's signs are in one text of signs, or more than one of each.
const MOST_KNOWN_SIGNS: u64 = 12;
/// So many lines are given at most.
const MOST_LINES: u64 = 14;
/// One more each so many seeds.
const SEEDS_A_LINE: u64 = 20;
/// So many more in long runs.
const MANY_LINES: u64 = 300;

/// What a text is made of.
#[derive(Clone, Copy)]
enum Style {
    /// Words, numbers and signs with blanks between.
    Words,
    /// A number.
    Number,
    /// A word, perhaps with a number behind it.
    Command,
    /// A few signs again and again.
    Signs,
    /// One long word.
    LongWord,
    /// Signs, digits and letters without blanks.
    Glued,
}

const STYLES: [Style; 6] =
    [Style::Words, Style::Number, Style::Command, Style::Signs, Style::LongWord, Style::Glued];

/// Chooses texts where the program reads, and small numbers elsewhere: always the same ones for a
/// seed.
#[derive(Clone)]
pub struct Texts<'a> {
    words: &'a Words,
    random: Random,
    /// Nothing, if each text is of another style.
    style: Option<Style>,
    /// The signs that are used.
    signs: Vec<u8>,
    n_lines: u64,
    /// Whether the program has its name.
    has_name: bool,
    /// What the next bytes of streams are, and of memory that nothing was written to.
    stream: VecDeque<u8>,
    memory: VecDeque<u8>,
    /// What is given first, and what was given.
    script: Option<Script>,
    given: Script,
}

impl<'a> Texts<'a> {
    /// The texts of a seed.
    #[must_use]
    pub fn new(words: &'a Words, seed: u64) -> Self {
        let style = usize::try_from(seed).ok().and_then(|it| STYLES.get(it % 8).copied());
        let mut texts = Self {
            words,
            random: Random::new(seed),
            style,
            signs: Vec::new(),
            n_lines: 0,
            has_name: false,
            stream: VecDeque::new(),
            memory: VecDeque::new(),
            script: None,
            given: Script::default(),
        };
        // Of every second one, short ones first: they say more.
        let most = if seed.is_multiple_of(2) { 2 + seed / SEEDS_A_LINE } else { MOST_LINES };
        texts.n_lines = texts.random.below(most.min(MOST_LINES)) + 1;
        let are_known = texts.random.below(2) == 0;
        let n_signs = 1 + texts.random.below(if are_known { MOST_KNOWN_SIGNS } else { 3 });
        for _ in 0..n_signs {
            let known = texts.random.of(&words.signs).filter(|_| are_known);
            let sign = known.unwrap_or_else(|| texts.sign());
            texts.signs.push(sign);
        }
        texts
    }

    /// The same with many lines.
    #[must_use]
    pub fn long(words: &'a Words, seed: u64) -> Self {
        let mut texts = Self::new(words, seed);
        texts.n_lines = MOST_LINES + texts.random.below(MANY_LINES);
        texts
    }

    /// The same with these lines, arguments and numbers first.
    fn following(words: &'a Words, seed: u64, script: Script) -> Self {
        let mut texts = Self::new(words, seed);
        texts.style = None;
        texts.n_lines = script.lines.len() as u64;
        texts.script = Some(script);
        texts
    }

    fn sign(&mut self) -> u8 {
        let words = self.words;
        match self.random.below(4) {
            0 => self.random.of(b"0123456789").unwrap_or(b'0'),
            1 => self.random.of(b"abxX-.,;/#\"'([{}])").unwrap_or(b'a'),
            _ => self.random.of(&words.signs).unwrap_or(b'a'),
        }
    }

    /// A number, if a script has no other one.
    fn chosen_number(&mut self) -> i128 {
        let scripted = self.script.as_mut().and_then(|it| it.numbers.pop_front());
        let number = scripted.unwrap_or_else(|| self.number());
        self.given.numbers.push_back(number);
        number
    }

    fn number(&mut self) -> i128 {
        let words = self.words;
        let known = self.random.of(&words.numbers).unwrap_or(2);
        match self.random.below(8) {
            0 => known,
            1 => known - 1,
            2 => known + 1,
            3 => 0,
            4 => i128::from(self.random.below(100)),
            5 => -i128::from(self.random.below(10)),
            _ => i128::from(self.random.below(10)),
        }
    }

    fn word(&mut self) -> Vec<u8> {
        let words = self.words;
        let at = self.random.below(words.words.len() as u64);
        let known = usize::try_from(at).ok().and_then(|it| words.words.get(it));
        known.cloned().unwrap_or_else(|| vec![b'a' + (at % 3) as u8])
    }

    /// A text without an end.
    fn text(&mut self) -> Vec<u8> {
        let style = match self.style {
            Some(style) => style,
            None => self.random.of(&STYLES).unwrap_or(Style::Words),
        };
        let number = |it: i128| it.to_string().into_bytes();
        match style {
            Style::Number => number(self.number()),
            Style::Command => {
                let mut text = self.word();
                if self.random.below(3) > 0 {
                    text.push(b' ');
                    text.extend(number(self.number()));
                }
                text
            }
            Style::Words => {
                let n_parts = 1 + self.random.below(4);
                let mut text = Vec::new();
                for _ in 0..n_parts {
                    let part = match self.random.below(3) {
                        0 => self.word(),
                        1 => number(self.number()),
                        _ => vec![self.sign()],
                    };
                    text.extend(part);
                    text.push(b' ');
                }
                text.pop();
                text
            }
            Style::Signs => {
                let (signs, n_signs) =
                    (self.signs.clone(), self.random.below(LONGEST_RUN_OF_SIGNS as u64));
                (0..=n_signs).map(|_| self.random.of(&signs).unwrap_or(b'a')).collect()
            }
            Style::LongWord => {
                let letters = usize::try_from(self.number()).unwrap_or(0);
                vec![b'a'; letters.clamp(LONGEST_RUN_OF_SIGNS, LONGEST_LONG_WORD)]
            }
            Style::Glued => {
                let n_parts = 1 + self.random.below(6);
                let part = |this: &mut Self| match this.random.below(4) {
                    0 => number(this.number()),
                    1 => this.word(),
                    _ => vec![this.sign()],
                };
                (0..n_parts).flat_map(|_| part(self)).collect()
            }
        }
    }

    /// The next byte of a stream, or -1.
    fn of_stream(&mut self) -> i128 {
        if self.stream.is_empty() {
            if self.n_lines == 0 {
                return -1;
            }
            self.n_lines -= 1;
            let scripted = self.script.as_mut().and_then(|it| it.lines.pop_front());
            let line = scripted.unwrap_or_else(|| self.line());
            self.stream.extend(&line);
            self.given.lines.push_back(line);
        }
        self.stream.pop_front().map_or(-1, i128::from)
    }

    /// A line; the last one may have no end.
    fn line(&mut self) -> Vec<u8> {
        let mut line = self.text();
        if self.n_lines > 0 || self.random.below(4) > 0 {
            line.push(b'\n');
        }
        line
    }

    /// The length of the next argument, which is mostly read as it comes. The first one is the
    /// program's name.
    fn argument(&mut self) -> i128 {
        if !std::mem::replace(&mut self.has_name, true) {
            return 0;
        }
        let scripted = self.script.as_mut().and_then(|it| it.arguments.pop_front());
        let text = scripted.unwrap_or_else(|| self.text());
        let length = i128::try_from(text.len()).unwrap_or(0);
        self.memory.extend(&text);
        self.given.arguments.push_back(text);
        length
    }

    /// A text with its end, or bytes that count and flag.
    fn block(&mut self) -> Vec<u8> {
        if self.random.below(2) == 0 {
            let mut block = self.text();
            block.push(0);
            return block;
        }
        let mut byte = || match self.random.below(8) {
            0..4 => self.random.below(5) as u8,
            4 => 1 << self.random.below(8),
            5 => u8::MAX - self.random.below(2) as u8,
            _ => self.random.below(256) as u8,
        };
        (0..BYTES_OF_BLOCK).map(|_| byte()).collect()
    }

    /// How many bytes are read: as many as there is room for, as often as not.
    fn read_bytes(&mut self) -> i128 {
        if self.script.is_none() && self.random.below(2) == 0 {
            let known = self.random.of(&self.words.numbers).unwrap_or(8);
            self.given.numbers.push_back(known);
            return known;
        }
        self.chosen_number()
    }

    fn of_memory(&mut self) -> i128 {
        if self.memory.is_empty() {
            let scripted = self.script.as_mut().and_then(|it| it.blocks.pop_front());
            let block = scripted.unwrap_or_else(|| self.block());
            self.memory.extend(&block);
            self.given.blocks.push_back(block);
        }
        self.memory.pop_front().map_or(0, i128::from)
    }
}

impl Looking for Texts<'_> {}

impl Choices for Texts<'_> {
    fn choose(&mut self, ty: ScalarType, occasion: Occasion<'_>) -> i128 {
        let bits = match ty {
            ScalarType::Int(kind) => kind.bits,
            ScalarType::Pointer | ScalarType::Float(_) => return 0,
        };
        match occasion {
            Occasion::Havoc(HavocSource::Input(name)) if name == HavocSource::INPUT_LENGTH => 0,
            Occasion::Havoc(HavocSource::Input(name)) if name == "argc" => {
                let known = self.script.as_ref().map(|it| it.arguments.len() as u64);
                1 + i128::from(known.unwrap_or_else(|| self.random.below(MOST_ARGUMENTS)))
            }
            Occasion::Havoc(HavocSource::Input(name)) if name == ARGUMENT => self.argument(),
            Occasion::Havoc(HavocSource::Input(name)) if bits == 32 && is_reader(name) => {
                self.of_stream()
            }
            Occasion::Havoc(HavocSource::Input(name)) if SCANNERS.contains(&name.as_str()) => {
                match self.random.below(4) {
                    0 => self.sign().into(),
                    _ => self.chosen_number(),
                }
            }
            Occasion::Havoc(HavocSource::Input(name)) if BLOCK_READERS.contains(&name.as_str()) => {
                self.read_bytes()
            }
            Occasion::UninitialisedMemory if bits == 8 => self.of_memory(),
            Occasion::Havoc(_) if bits == 1 => i128::from(self.random.below(4) > 0),
            _ => self.chosen_number(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Texts, Words};
    use concrete::choices::{Choices, Occasion};
    use ir::HavocSource;
    use ir::expr::{IntKind, ScalarType};

    /// Asks for letters `p` and `q` in turn, and for a size of 96.
    const ASKS: &str = "procedure main() { local block: ptr local c: i32
        b0: block := allocate heap 96 goto b1
        b1: c := input \"getchar\" if c == 112 goto b2 else b3
        b2: c := input \"getchar\" if c == 113 goto b1 else b3
        b3: return }
        entry main";

    fn letters(words: &Words, seed: u64) -> Vec<i128> {
        let (mut texts, source) =
            (Texts::new(words, seed), HavocSource::Input("getchar".to_owned()));
        let ty = ScalarType::Int(IntKind { bits: 32, signed: true });
        (0..60).map(|_| texts.choose(ty, Occasion::Havoc(&source))).collect()
    }

    #[test]
    fn what_a_program_asks_for_is_given() {
        let program = ir::text::parse("asks.goto", ASKS).unwrap().program;
        let words = Words::of(&program).unwrap();
        assert_eq!(words.signs, *b"`pq");
        assert_eq!(words.numbers, [96, 112, 113]);
        assert!((0..20).any(|seed| letters(&words, seed).windows(2).any(|it| it == [112, 113])));
        assert!((0..20).any(|seed| letters(&words, seed).contains(&-1)), "streams end");
        assert_eq!(letters(&words, 3), letters(&words, 3));
    }

    #[test]
    fn nothing_is_known_of_programs_that_read_nothing() {
        let text = "procedure main() { b0: return } entry main";
        assert!(Words::of(&ir::text::parse("none.goto", text).unwrap().program).is_none());
    }
}
