//! The standard input of a run as text, where what it reads there is known byte by byte, or number by
//! number.

use super::path::Teller;
use base::source::Span;
use concolic::texts::{is_block_reader, is_bytes_reader};
use ir::HavocSource;
use ir::expr::ScalarType;
use verdict::violation::Chosen;

/// Which read words and numbers, with whether there is one before each.
const SCANNERS: [&str; 2] = ["scanf", "fscanf"];

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
    is_bytes_reader(name) || is_scanner(name)
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
    /// Whether a number or word has ended just before.
    is_open: bool,
    /// Whether nothing more can be read.
    is_over: bool,
    /// As what stands there fits nothing.
    is_stuck: bool,
    /// Where it was said that there is something.
    there_is: Option<Span>,
}

impl Text {
    /// Reads the next choices. Gives how many they are.
    fn read(&mut self, choices: &[Chosen], first: &Chosen) -> Option<usize> {
        let Some(name) = first.function.as_deref() else { return Some(1) };
        if is_bytes_reader(name) {
            return self.byte(first.value).map(|()| 1);
        }
        if let Some(letters) = name.strip_prefix(HavocSource::NEXT_TEXT) {
            return self.letters(letters, first.value).map(|()| 1);
        }
        match (name == HavocSource::IN_LIBRARY, bits(first)) {
            (true, 1) => self.status(first).map(|()| 1),
            (false, 64) if is_scanner(name) => self.word(choices, first.value),
            (false, 8) if is_scanner(name) => self.left(first.value).map(|()| 1),
            (false, 16) if is_scanner(name) => self.behind_blanks(first.value).map(|()| 1),
            (false, _) if is_scanner(name) => {
                self.token(first.value.to_string().as_bytes()).map(|()| 1)
            }
            _ => Some(1),
        }
    }

    /// Whether there is what is asked for: first anything at all, then something that fits.
    fn status(&mut self, chosen: &Chosen) -> Option<()> {
        let is_second = self.there_is.replace(chosen.span) == Some(chosen.span);
        if chosen.value == 1 {
            return Some(());
        }
        self.there_is = None;
        if is_second && !self.is_stuck {
            self.token(&[MISFIT])?;
        }
        (self.is_over, self.is_stuck) = (true, is_second);
        Some(())
    }

    /// The letters of a format, if they are there.
    fn letters(&mut self, letters: &str, value: i128) -> Option<()> {
        if value != 1 || self.is_over {
            return None;
        }
        self.there_is = None;
        self.is_open = false;
        self.bytes.extend(letters.as_bytes());
        Some(())
    }

    /// What a number leaves in the stream: nothing that could be a part of it.
    fn left(&mut self, value: i128) -> Option<()> {
        let letter = u8::try_from(value).ok();
        let plain = letter.filter(|it| it.is_ascii_graphic() || *it == b' ');
        let plain = plain.filter(|it| !it.is_ascii_alphanumeric() && !b"+-.".contains(it));
        self.byte(plain.unwrap_or(BETWEEN).into())
    }

    /// What is behind blanks: a letter, or the end.
    fn behind_blanks(&mut self, value: i128) -> Option<()> {
        let letter = match value {
            ..0 => return self.byte(-1),
            33..256 => value,
            _ => b'#'.into(),
        };
        if self.is_open && u8::try_from(letter).is_ok_and(|it| it.is_ascii_digit()) {
            self.byte(BETWEEN.into())?;
        }
        self.byte(letter)
    }

    /// A word of so many bytes, which follow; or a number of 64 bits.
    fn word(&mut self, choices: &[Chosen], length: i128) -> Option<usize> {
        let rest = choices.iter().skip(1);
        let is_byte =
            |it: &&Chosen| it.function.is_none() && bits(it) == 8 && it.span == choices[0].span;
        // No word has a blank or a zero: where a run takes one for it, any letter will do.
        let letter = |it: &Chosen| byte_of(it).filter(u8::is_ascii_graphic).unwrap_or(b'x');
        let word: Vec<u8> = rest.take_while(is_byte).map(letter).collect();
        match usize::try_from(length) {
            _ if word.is_empty() => self.token(length.to_string().as_bytes()).map(|()| 1),
            Ok(length) if word.len() >= length => self.token(&word[..length]).map(|()| 1 + length),
            _ => None,
        }
    }

    /// A byte, or -1 where there is none.
    fn byte(&mut self, value: i128) -> Option<()> {
        if value == -1 {
            self.is_over = true;
            return Some(());
        }
        let byte = u8::try_from(value.rem_euclid(256)).ok()?;
        // It would be a part of the number before.
        let is_joined = self.is_open && byte.is_ascii_digit();
        if self.is_over || is_joined || self.bytes.len() >= MOST_BYTES {
            return None;
        }
        self.is_open = false;
        self.bytes.push(byte);
        Some(())
    }

    /// A number or a word.
    fn token(&mut self, token: &[u8]) -> Option<()> {
        let is_plain = token.iter().all(u8::is_ascii_graphic);
        if self.is_over || !is_plain || self.bytes.len() + token.len() >= MOST_BYTES {
            return None;
        }
        self.there_is = None;
        if std::mem::replace(&mut self.is_open, true) {
            self.bytes.push(BETWEEN);
        }
        self.bytes.extend(token);
        Some(())
    }

    fn finish(mut self) -> Option<Vec<u8>> {
        if self.is_open {
            self.bytes.push(BETWEEN);
        }
        (self.is_over || !self.bytes.is_empty()).then_some(self.bytes)
    }
}

fn is_scanner(name: &str) -> bool {
    SCANNERS.contains(&name)
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
        let is_there = || chosen(Some(HavocSource::IN_LIBRARY), 1, 1);
        let mut read = vec![is_there(), chosen(Some("scanf"), 32, -7), is_there()];
        read.extend([chosen(Some("scanf"), 64, 2), chosen(None, 8, 104), chosen(None, 8, 105)]);
        read.extend([is_there(), chosen(Some("scanf"), 32, 12)]);
        assert_eq!(text(&read).unwrap(), b"-7\nhi\n12\n");
    }

    #[test]
    fn what_is_read_elsewhere_is_none_of_it() {
        assert_eq!(text(&[chosen(Some("nondet"), 32, 7), chosen(None, 8, 1)]), None);
    }
}
