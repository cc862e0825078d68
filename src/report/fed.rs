//! The standard input of a run as text, where what it reads there is known byte by byte, or number by
//! number.

use super::path::Teller;
use base::source::Span;
use concolic::texts::{is_block_reader, is_reader, is_scanner};
use ir::HavocSource;
use ir::expr::ScalarType;
use verdict::violation::Chosen;

/// Longer texts do not fit into a pipe.
const MOST_BYTES: usize = 60_000;

/// What no number begins with.
const MISFIT: u8 = b'?';

/// What stands between two numbers or words.
const BETWEEN: u8 = b'\n';

/// What a run reads from the standard input with these choices: byte by byte, or in blocks.
#[must_use]
pub(super) fn standard_input(choices: &[Chosen], teller: &Teller<'_>) -> Option<Vec<u8>> {
    let is_of_blocks = |it: &Chosen| it.function.as_deref().is_some_and(is_block_reader);
    if !choices.iter().any(is_of_blocks) {
        return text(choices);
    }
    // Which came first, is not followed.
    if choices.iter().any(|it| it.function.as_deref().is_some_and(is_read_by_letters)) {
        return None;
    }
    let blocks = teller.bytes_given().filter(|(name, _)| is_block_reader(name));
    let bytes: Vec<u8> = blocks.flat_map(|it| it.1.to_vec()).collect();
    (bytes.len() < MOST_BYTES).then_some(bytes)
}

fn is_read_by_letters(name: &str) -> bool {
    is_reader(name) || is_scanner(name)
}

/// The text that is read with these choices; nothing if some of it is not known, or there is none.
fn text(choices: &[Chosen]) -> Option<Vec<u8>> {
    let mut text = Text::default();
    let mut at = 0;
    while let Some(chosen) = choices.get(at) {
        at += text.read(&choices[at..], chosen)?;
    }
    text.finish()
}

/// The same where choices are repeated that only say that what stands there is nothing that is asked for,
/// or that there is nothing.
#[must_use]
pub(super) fn endless_input(stem: &[Chosen], cycle: &[Chosen]) -> Option<Vec<u8>> {
    let all: Vec<Chosen> = [stem, cycle, cycle].concat();
    let once = text(&all[..stem.len() + cycle.len()])?;
    (text(&all)? == once).then_some(once)
}

/// Whether what a function of this name gives may be read from the standard input.
#[must_use]
pub(super) fn reads(name: &str) -> bool {
    is_read_by_letters(name) || is_block_reader(name) || HavocSource::is_in_library(name)
}

/// What has been read so far.
#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    /// What the next value is, by the last answer that there is something.
    asked: Option<Asked>,
    /// Whether a number has ended just before, and nothing is said of what is behind it.
    is_open: bool,
    /// Whether the last byte is none that was taken yet.
    is_left: bool,
    /// Whether nothing more can be read.
    is_over: bool,
    /// As what stands there fits nothing.
    is_stuck: bool,
    /// Where it was said that there is something.
    there_is: Option<Span>,
}

/// What a conversion asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// A number of this base.
    Number(u32),
    /// A number of which nobody knows what it is.
    Fraction,
    /// A word.
    Word,
}

impl Text {
    /// Reads the next choices. Gives how many they are; nothing if it is not known what they read.
    fn read(&mut self, choices: &[Chosen], first: &Chosen) -> Option<usize> {
        let Some(name) = first.function.as_deref() else { return Some(1) };
        if is_reader(name) {
            return self.byte(first.value).map(|()| 1);
        }
        if let Some(letters) = name.strip_prefix(HavocSource::NEXT_TEXT) {
            return self.letters(letters, first.value).map(|()| 1);
        }
        if let (true, Some(kind)) = (bits(first) == 1, name.strip_prefix(HavocSource::IN_LIBRARY)) {
            return self.status(first, kind).map(|()| 1);
        }
        if !is_scanner(name) {
            return Some(1);
        }
        match (self.asked.take(), bits(first)) {
            (Some(Asked::Number(base)), _) => self.number(first.value, base).map(|()| 1),
            (Some(Asked::Fraction), _) => self.number(0, 10).map(|()| 1),
            (Some(Asked::Word), _) => self.word(choices, first.value),
            (None, 8) => self.left(first.value).map(|()| 1),
            (None, 16) => self.behind_blanks(first.value).map(|()| 1),
            (None, _) => None,
        }
    }

    /// Whether there is what is asked for: first anything at all, then something that fits.
    fn status(&mut self, chosen: &Chosen, kind: &str) -> Option<()> {
        let is_second = self.there_is.replace(chosen.span) == Some(chosen.span);
        if chosen.value != 1 {
            self.there_is = None;
            if is_second && !self.is_stuck {
                self.end_of_number()?;
                self.push(MISFIT)?;
            }
            (self.is_over, self.is_stuck) = (true, is_second);
            return Some(());
        }
        self.asked = match kind {
            HavocSource::NUMBER => Some(Asked::Number(10)),
            HavocSource::IN_BASE_16 => Some(Asked::Number(16)),
            HavocSource::IN_BASE_8 => Some(Asked::Number(8)),
            HavocSource::FRACTION => Some(Asked::Fraction),
            HavocSource::WORD => Some(Asked::Word),
            // A byte that is left there, or behind blanks, is known; others are not.
            HavocSource::BYTES if std::mem::take(&mut self.is_left) => None,
            "" => None,
            _ => return None,
        };
        Some(())
    }

    /// The letters of a format, if they are there.
    fn letters(&mut self, letters: &str, value: i128) -> Option<()> {
        if value != 1 || self.is_over {
            return None;
        }
        (self.there_is, self.is_open, self.is_left) = (None, false, false);
        letters.bytes().try_for_each(|it| self.push(it))
    }

    fn number(&mut self, value: i128, base: u32) -> Option<()> {
        let text = match base {
            16 => format!("{:x}", u128::try_from(value).ok()?),
            8 => format!("{:o}", u128::try_from(value).ok()?),
            _ => value.to_string(),
        };
        self.token(text.as_bytes())?;
        self.is_open = true;
        Some(())
    }

    /// What a number leaves in the stream: nothing that could be a part of it.
    fn left(&mut self, value: i128) -> Option<()> {
        let letter = u8::try_from(value).ok();
        let plain = letter.filter(|it| it.is_ascii_graphic() || *it == b' ');
        let plain = plain.filter(|it| !it.is_ascii_alphanumeric() && *it != b'.');
        self.is_open = false;
        self.push(plain.unwrap_or(BETWEEN))?;
        self.is_left = true;
        Some(())
    }

    /// What is behind blanks: a letter, or the end.
    fn behind_blanks(&mut self, value: i128) -> Option<()> {
        self.end_of_number()?;
        if value < 0 {
            self.is_over = true;
            return Some(());
        }
        let letter = u8::try_from(value).ok().filter(|it| *it > 32).unwrap_or(b'#');
        self.push(letter)?;
        self.is_left = true;
        Some(())
    }

    /// A word of so many bytes, which follow.
    fn word(&mut self, choices: &[Chosen], length: i128) -> Option<usize> {
        let rest = choices.iter().skip(1);
        let is_byte =
            |it: &&Chosen| it.function.is_none() && bits(it) == 8 && it.span == choices[0].span;
        // No word has a blank or a zero: where a run takes one for it, any letter will do.
        let letter = |it: &Chosen| byte_of(it).filter(u8::is_ascii_graphic).unwrap_or(b'x');
        let word: Vec<u8> = rest.take_while(is_byte).map(letter).collect();
        let length = usize::try_from(length).ok().filter(|it| *it <= word.len())?;
        self.token(&word[..length])?;
        self.push(BETWEEN)?;
        Some(1 + length)
    }

    /// A byte, or -1 where there is none.
    fn byte(&mut self, value: i128) -> Option<()> {
        self.end_of_number()?;
        if value == -1 {
            self.is_over = true;
            return Some(());
        }
        self.is_left = false;
        self.push(u8::try_from(value.rem_euclid(256)).ok()?)
    }

    /// A number or a word.
    fn token(&mut self, token: &[u8]) -> Option<()> {
        self.there_is = None;
        self.end_of_number()?;
        self.is_left = false;
        token.iter().try_for_each(|it| self.push(*it))
    }

    /// Where nothing else is said, a line ends behind a number.
    fn end_of_number(&mut self) -> Option<()> {
        match std::mem::take(&mut self.is_open) {
            true => self.push(BETWEEN),
            false => Some(()),
        }
    }

    fn push(&mut self, byte: u8) -> Option<()> {
        if self.is_over || self.bytes.len() >= MOST_BYTES {
            return None;
        }
        self.bytes.push(byte);
        Some(())
    }

    fn finish(mut self) -> Option<Vec<u8>> {
        if self.is_open && !self.is_over {
            self.bytes.push(BETWEEN);
        }
        (self.is_over || !self.bytes.is_empty()).then_some(self.bytes)
    }
}

fn bits(chosen: &Chosen) -> u8 {
    if let ScalarType::Int(kind) = chosen.ty { kind.bits } else { 0 }
}

fn byte_of(chosen: &Chosen) -> Option<u8> {
    u8::try_from(chosen.value.rem_euclid(256)).ok()
}

#[cfg(test)]
mod tests {
    use super::text;
    use base::source::Span;
    use ir::HavocSource;
    use ir::expr::{IntKind, ScalarType};
    use verdict::violation::Chosen;

    fn chosen(function: Option<&str>, bits: u8, value: i128) -> Chosen {
        let ty = ScalarType::Int(IntKind { bits, signed: true });
        Chosen { value, ty, function: function.map(str::to_owned), span: Span::NOWHERE }
    }

    #[test]
    fn lines_are_read_byte_by_byte() {
        let bytes = b"ab\n".map(|it| chosen(Some("fgets"), 32, it.into()));
        assert_eq!(text(&bytes).unwrap(), b"ab\n");
        let mut more = bytes.to_vec();
        more.push(chosen(Some("fgets"), 32, -1));
        assert_eq!(text(&more).unwrap(), b"ab\n");
        more.push(chosen(Some("fgets"), 32, 97));
        assert_eq!(text(&more), None, "nothing is behind the end");
    }

    #[test]
    fn numbers_and_words_are_apart() {
        let is_there = |kind| chosen(Some(&format!("{}{kind}", HavocSource::IN_LIBRARY)), 1, 1);
        let mut read = vec![is_there(HavocSource::NUMBER), chosen(Some("scanf"), 32, -7)];
        read.push(is_there(HavocSource::WORD));
        read.extend([chosen(Some("scanf"), 64, 2), chosen(None, 8, 104), chosen(None, 8, 105)]);
        read.extend([is_there(HavocSource::IN_BASE_16), chosen(Some("scanf"), 32, 176)]);
        assert_eq!(text(&read).unwrap(), b"-7\nhi\nb0\n");
        read.extend([is_there(HavocSource::NUMBER), chosen(Some("scanf"), 16, 3)]);
        read.push(chosen(Some("getchar"), 32, 10));
        assert_eq!(text(&read).unwrap(), b"-7\nhi\nb0\n3\n\n", "a line ends behind a number");
        read.push(is_there(HavocSource::BYTES));
        assert_eq!(text(&read), None, "nobody knows which");
    }

    #[test]
    fn what_is_read_elsewhere_is_none_of_it() {
        assert_eq!(text(&[chosen(Some("nondet"), 32, 7), chosen(None, 8, 1)]), None);
    }
}
