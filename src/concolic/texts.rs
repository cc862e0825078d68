//! Inputs that look like what people type: words and signs that the program knows, numbers, lines.
//!
//! Most programs read text, and much of what goes wrong needs text that makes sense to them. Solving
//! for it decision by decision leads there one letter at a time; guessing whole words leads there at
//! once (dictionaries of fuzzers: Zalewski, *American fuzzy lop*). What is guessed is an input like
//! any other: the interpreter says what the run does with it.

use super::inputs::Looking;
use concrete::choices::{Choices, Occasion};
use ir::expr::{BinaryOp, Expr, ScalarType};
use ir::{Block, BlockId, Command, HavocSource, Program, Terminator};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

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

/// What chooses texts that a program is started with, and so many it gets at most.
const ARGUMENT: &str = "argv";
const MOST_ARGUMENTS: u64 = 5;

/// Words and constants of the program that are larger say nothing about texts.
const LONGEST_WORD: usize = 12;
const LARGEST_NUMBER: i128 = 1_024;

/// The longest text without a blank, and the longest line.
const LONGEST_RUN_OF_SIGNS: usize = 40;
/// So many lines are given at most.
const MOST_LINES: u64 = 14;
/// One more each so many seeds.
const SEEDS_A_LINE: u64 = 20;
/// So many more in long runs.
const MANY_LINES: u64 = 300;

/// What the program knows: its texts, and the constants that it compares with.
#[derive(Clone, Debug)]
pub struct Words {
    words: Vec<Vec<u8>>,
    signs: Vec<u8>,
    numbers: Vec<i128>,
}

impl Words {
    /// Those of a program that reads texts; nothing of others.
    #[must_use]
    pub fn of(program: &Program) -> Option<Self> {
        let reads_text = program.commands().any(|it| match it {
            Command::Havoc { source: HavocSource::Input(name), .. } => {
                name == ARGUMENT || is_reader(name) || SCANNERS.contains(&name.as_str())
            }
            _ => false,
        });
        reads_text.then(|| {
            let (mut signs, numbers) = constants(program);
            let mut all = words(program);
            all.extend(compared_words(program));
            let (letters, words): (Vec<_>, Vec<_>) = all.into_iter().partition(|it| it.len() == 1);
            signs.extend(letters.into_iter().flatten());
            Self { words, signs, numbers }
        })
    }
}

/// The words that the program compares letter by letter, as `sscanf` does with those of a format.
fn compared_words(program: &Program) -> BTreeSet<Vec<u8>> {
    let mut found = BTreeSet::new();
    for procedure in program.procedures.iter().filter(|it| !it.is_of_library()) {
        let letter = |block: &Block| match &block.terminator {
            Terminator::Branch {
                condition: Expr::Binary(BinaryOp::Equal, _, right), then, ..
            } => match **right {
                Expr::Constant(letter) => {
                    Some((u8::try_from(letter).ok().filter(u8::is_ascii_graphic)?, *then))
                }
                _ => None,
            },
            _ => None,
        };
        let letters: Vec<Option<(u8, BlockId)>> = procedure.blocks.iter().map(letter).collect();
        let behind: BTreeSet<BlockId> = letters.iter().flatten().map(|it| it.1).collect();
        let starts = (0..letters.len()).filter(|it| !behind.contains(&BlockId::at(*it)));
        for start in starts {
            let mut word = Vec::new();
            let mut at = start;
            while let Some((letter, then)) = letters[at]
                && word.len() < LONGEST_WORD
            {
                word.push(letter);
                at = then.index();
            }
            found.extend(Some(word).filter(|it| it.len() > 1));
        }
    }
    found
}

/// The words of the program's texts.
fn words(program: &Program) -> BTreeSet<Vec<u8>> {
    let mut texts: BTreeMap<usize, BTreeMap<i128, u8>> = BTreeMap::new();
    for command in program.procedure(program.entry).blocks.iter().flat_map(|it| &it.commands) {
        let Command::Store { address, value: Expr::Constant(byte), ty } = &command.command else {
            continue;
        };
        let place = match address {
            Expr::Variable(block) => Some((*block, 0)),
            Expr::Binary(BinaryOp::Add, block, bytes) => match (&**block, &**bytes) {
                (Expr::Variable(block), Expr::Constant(bytes)) => Some((*block, *bytes)),
                _ => None,
            },
            _ => None,
        };
        let is_byte = matches!(ty, ScalarType::Int(kind) if kind.bits == 8);
        if let (Some((block, at)), Ok(byte), true) = (place, u8::try_from(*byte), is_byte) {
            texts.entry(block.index()).or_default().insert(at, byte);
        }
    }
    let mut found = BTreeSet::new();
    for text in texts.values() {
        let bytes: Vec<u8> = text.values().copied().collect();
        let words = bytes.split(|it| !it.is_ascii_graphic());
        let is_word = |it: &&[u8]| (1..=LONGEST_WORD).contains(&it.len()) && !it.contains(&b'%');
        found.extend(words.filter(is_word).map(<[u8]>::to_vec));
    }
    found
}

/// The signs and the numbers that the program compares with or hands on, and its sizes.
fn constants(program: &Program) -> (Vec<u8>, Vec<i128>) {
    let (mut signs, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    let mut note = |number: i128| {
        if let Ok(sign) = u8::try_from(number)
            && sign.is_ascii_graphic()
        {
            signs.insert(sign);
        }
        if (2..=LARGEST_NUMBER).contains(&number) {
            numbers.insert(number);
        }
    };
    // What models compare with are the signs of texts at large.
    let own = program.procedures.iter().filter(|it| !it.is_of_library());
    for block in own.flat_map(|it| &it.blocks) {
        let comparisons = block.expressions().flat_map(Expr::comparisons);
        let handed = block.commands.iter().filter_map(|it| match &it.command {
            Command::Call { arguments, .. } => Some(arguments),
            _ => None,
        });
        let sides = comparisons.flat_map(|(_, left, right)| [left, right]);
        for side in sides.chain(handed.flatten()) {
            if let Expr::Constant(number) = side {
                note(*number);
            }
        }
        if let Terminator::Switch { cases, .. } = &block.terminator {
            cases.iter().for_each(|(low, high, _)| [*low, *high].into_iter().for_each(&mut note));
        }
        for instruction in &block.commands {
            if let Command::Allocate { size: Expr::Constant(size), .. } = &instruction.command {
                note(*size);
            }
        }
    }
    (signs.into_iter().collect(), numbers.into_iter().collect())
}

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
    random: u64,
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
}

impl<'a> Texts<'a> {
    /// The texts of a seed.
    #[must_use]
    pub fn new(words: &'a Words, seed: u64) -> Self {
        let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
        let style = usize::try_from(seed).ok().and_then(|it| STYLES.get(it % 8).copied());
        let (stream, memory) = (VecDeque::new(), VecDeque::new());
        let mut texts = Self {
            words,
            random,
            style,
            signs: Vec::new(),
            n_lines: 0,
            has_name: false,
            stream,
            memory,
        };
        // Of every second one, short ones first: they say more.
        let most = if seed.is_multiple_of(2) { 2 + seed / SEEDS_A_LINE } else { MOST_LINES };
        texts.n_lines = texts.below(most.min(MOST_LINES)) + 1;
        let n_signs = 1 + texts.below(3);
        for _ in 0..n_signs {
            let sign = texts.sign();
            texts.signs.push(sign);
        }
        texts
    }

    /// The same with many lines.
    #[must_use]
    pub fn long(words: &'a Words, seed: u64) -> Self {
        let mut texts = Self::new(words, seed);
        texts.n_lines = MOST_LINES + texts.below(MANY_LINES);
        texts
    }

    /// The next number without an order (Steele, Lea, Flood: *Fast splittable pseudorandom number
    /// generators*, OOPSLA 2014).
    fn next(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let at = self.below(all.len() as u64);
        all.get(usize::try_from(at).ok()?).copied()
    }

    fn sign(&mut self) -> u8 {
        let words = self.words;
        match self.below(4) {
            0 => self.of(b"0123456789").unwrap_or(b'0'),
            1 => self.of(b"abxX-.,;/#\"'([{}])").unwrap_or(b'a'),
            _ => self.of(&words.signs).unwrap_or(b'a'),
        }
    }

    fn number(&mut self) -> i128 {
        let words = self.words;
        let known = self.of(&words.numbers).unwrap_or(2);
        match self.below(8) {
            0 => known,
            1 => known - 1,
            2 => known + 1,
            3 => 0,
            4 => i128::from(self.below(100)),
            5 => -i128::from(self.below(10)),
            _ => i128::from(self.below(10)),
        }
    }

    fn word(&mut self) -> Vec<u8> {
        let words = self.words;
        let at = self.below(words.words.len() as u64);
        let known = usize::try_from(at).ok().and_then(|it| words.words.get(it));
        known.cloned().unwrap_or_else(|| vec![b'a' + (at % 3) as u8])
    }

    /// A text without an end.
    fn text(&mut self) -> Vec<u8> {
        let style = match self.style {
            Some(style) => style,
            None => self.of(&STYLES).unwrap_or(Style::Words),
        };
        let number = |it: i128| it.to_string().into_bytes();
        match style {
            Style::Number => number(self.number()),
            Style::Command => {
                let mut text = self.word();
                if self.below(3) > 0 {
                    text.push(b' ');
                    text.extend(number(self.number()));
                }
                text
            }
            Style::Words => {
                let n_parts = 1 + self.below(4);
                let mut text = Vec::new();
                for _ in 0..n_parts {
                    let part = match self.below(3) {
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
                    (self.signs.clone(), self.below(LONGEST_RUN_OF_SIGNS as u64));
                (0..=n_signs).map(|_| self.of(&signs).unwrap_or(b'a')).collect()
            }
            Style::LongWord => {
                let length = self.number().max(LONGEST_RUN_OF_SIGNS as i128);
                let letters = usize::try_from(length).unwrap_or(LONGEST_RUN_OF_SIGNS);
                vec![b'a'; letters]
            }
            Style::Glued => {
                let n_parts = 1 + self.below(6);
                let part = |this: &mut Self| match this.below(4) {
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
            let text = self.text();
            self.stream.extend(text);
            // The last line may have no end.
            if self.n_lines > 0 || self.below(4) > 0 {
                self.stream.push_back(b'\n');
            }
        }
        self.stream.pop_front().map_or(-1, i128::from)
    }

    /// The length of the next argument, which is mostly read as it comes. The first one is the
    /// program's name.
    fn argument(&mut self) -> i128 {
        if !std::mem::replace(&mut self.has_name, true) {
            return 0;
        }
        let text = self.text();
        let length = i128::try_from(text.len()).unwrap_or(0);
        self.memory.extend(text);
        length
    }

    fn of_memory(&mut self) -> i128 {
        if self.memory.is_empty() {
            let text = self.text();
            self.memory.extend(text);
            self.memory.push_back(0);
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
                1 + i128::from(self.below(MOST_ARGUMENTS))
            }
            Occasion::Havoc(HavocSource::Input(name)) if name == ARGUMENT => self.argument(),
            Occasion::Havoc(HavocSource::Input(name)) if bits == 32 && is_reader(name) => {
                self.of_stream()
            }
            Occasion::Havoc(HavocSource::Input(name)) if SCANNERS.contains(&name.as_str()) => {
                match self.below(4) {
                    0 => self.sign().into(),
                    _ => self.number(),
                }
            }
            Occasion::UninitialisedMemory if bits == 8 => self.of_memory(),
            Occasion::Havoc(_) if bits == 1 => i128::from(self.below(4) > 0),
            _ => self.number(),
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
