//! What a program knows of the texts that it reads.

use super::{ARGUMENT, BLOCK_READERS, SCANNERS, is_reader};
use ir::expr::{BinaryOp, Expr, ScalarType};
use ir::{Block, BlockId, Command, HavocSource, Program, Terminator};
use std::collections::{BTreeMap, BTreeSet};

/// Words and constants of the program that are larger say nothing about texts.
const LONGEST_WORD: usize = 12;
const LARGEST_NUMBER: i128 = 100_000;

/// What the program knows: its texts, and the constants that it compares with.
#[derive(Clone, Debug)]
pub struct Words {
    pub(super) words: Vec<Vec<u8>>,
    pub(super) signs: Vec<u8>,
    pub(super) numbers: Vec<i128>,
}

impl Words {
    /// Those of a program that reads texts; nothing of others.
    #[must_use]
    pub fn of(program: &Program) -> Option<Self> {
        let reads_text = program.commands().any(|it| match it {
            Command::Havoc { source: HavocSource::Input(name), .. } => {
                let name = name.as_str();
                let is_of_stream = SCANNERS.contains(&name) || BLOCK_READERS.contains(&name);
                name == ARGUMENT || is_reader(name) || is_of_stream
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
    let mut note = |number: i128, is_limit: bool| {
        if let Ok(sign) = u8::try_from(number)
            && sign.is_ascii_graphic()
        {
            signs.insert(sign);
            // What is next to the end of a range may lie within it.
            let near = [sign - 1, sign + 1];
            signs.extend(near.iter().filter(|it| is_limit && it.is_ascii_alphabetic()));
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
        let sides = comparisons.flat_map(|(op, left, right)| {
            let is_limit = !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
            [(left, is_limit), (right, is_limit)]
        });
        for (side, is_limit) in sides.chain(handed.flatten().map(|it| (it, false))) {
            if let Expr::Constant(number) = side {
                note(*number, is_limit);
            }
        }
        if let Terminator::Switch { cases, .. } = &block.terminator {
            for (low, high, _) in cases {
                [*low, *high].into_iter().for_each(|it| note(it, low != high));
            }
        }
        for instruction in &block.commands {
            if let Command::Allocate { size: Expr::Constant(size), .. } = &instruction.command {
                note(*size, false);
            }
        }
    }
    (signs.into_iter().collect(), numbers.into_iter().collect())
}
