//! Places as editors count them: lines and columns from 0, columns in units of an encoding.

use lsp_types::{Position, PositionEncodingKind, Range};
use report::{Location, Texts};

/// What columns count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of 16 bits.
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The first of the client's encodings that is known; UTF-16, if it names none.
    pub(super) fn chosen(offered: &[PositionEncodingKind]) -> Self {
        let known = |kind: &PositionEncodingKind| match kind.as_str() {
            "utf-8" => Some(Self::Utf8),
            "utf-16" => Some(Self::Utf16),
            "utf-32" => Some(Self::Utf32),
            _ => None,
        };
        offered.iter().find_map(known).unwrap_or(Self::Utf16)
    }

    /// What the protocol calls it.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn units(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }

    /// The column behind so many characters of a line; behind its last one, if it has fewer.
    pub(super) fn column(self, line: &str, n_characters: usize) -> u32 {
        let units: usize = line.chars().take(n_characters).map(|it| self.units(it)).sum();
        u32::try_from(units).unwrap_or(u32::MAX)
    }

    /// The byte of a line at a column: that of the character around it, or the line's end.
    pub(super) fn byte(self, line: &str, column: u32) -> usize {
        let mut units = 0;
        for (byte, character) in line.char_indices() {
            units += self.units(character);
            if units > column as usize {
                return byte;
            }
        }
        line.len()
    }

    /// The byte of a text at a position; its end, if it has no such line.
    pub(super) fn byte_of_text(self, text: &str, position: Position) -> usize {
        let mut start = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            if number == position.line as usize {
                return start + self.byte(without_end(line), position.character);
            }
            start += line.len();
        }
        text.len()
    }

    /// What a place covers. A file as a whole is shown at its first line.
    pub(super) fn range(self, place: &Location, texts: &Texts) -> Range {
        let line = place.line.map_or(0, |line| line.saturating_sub(1));
        let text = texts.get(&place.file).map_or("", String::as_str);
        let text = line_of(text, line as usize).unwrap_or_default();
        let first = place.column.map_or(0, |column| column.saturating_sub(1) as usize);
        let length = match place.column {
            Some(_) => place.length.max(1) as usize,
            None => text.chars().count(),
        };
        let at = |n_characters| Position::new(line, self.column(text, n_characters));
        Range::new(at(first), at(first.saturating_add(length)))
    }
}

/// A line of a text, from 0 on, without what ends it.
pub(super) fn line_of(text: &str, number: usize) -> Option<&str> {
    text.split_inclusive('\n').nth(number).map(without_end)
}

fn without_end(line: &str) -> &str {
    line.trim_end_matches('\n').trim_end_matches('\r')
}

/// Where the lines of a text are in a later one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    /// So many lines at the start are the same.
    n_first: usize,
    /// So many at the end.
    n_last: usize,
    n_before: usize,
    n_after: usize,
}

impl Carried {
    /// From a text to a later one.
    pub(super) fn between(before: &str, after: &str) -> Self {
        let lines = |text| str::split(text, '\n').collect::<Vec<_>>();
        let (before, after) = (lines(before), lines(after));
        let n_shared = before.len().min(after.len());
        let are_same = |(one, other): &(&&str, &&str)| one == other;
        let n_first = before.iter().zip(&after).take_while(are_same).count();
        let from_end = before.iter().rev().zip(after.iter().rev());
        let n_last = from_end.take(n_shared - n_first).take_while(are_same).count();
        Self { n_first, n_last, n_before: before.len(), n_after: after.len() }
    }

    /// The number of a line, from 0 on, in the later text; nothing, if it was changed.
    pub(super) fn line(self, number: u32) -> Option<u32> {
        let own = number as usize;
        if own < self.n_first {
            return Some(number);
        }
        let from_end =
            self.n_before.checked_sub(own).filter(|it| (1..=self.n_last).contains(it))?;
        u32::try_from(self.n_after.checked_sub(from_end)?).ok()
    }

    /// The same for a range; its line may have been changed behind it, but not moved apart.
    pub(super) fn range(self, range: Range) -> Option<Range> {
        let [start, end] = [self.line(range.start.line)?, self.line(range.end.line)?];
        Some(Range::new(
            Position::new(start, range.start.character),
            Position::new(end, range.end.character),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{Carried, Encoding};
    use lsp_types::Position;

    #[test]
    fn columns_count_units() {
        let line = "a\u{e4}\u{1f980}b";
        let columns = |encoding: Encoding| [1, 2, 3, 9].map(|it| encoding.column(line, it));
        assert_eq!(columns(Encoding::Utf8), [1, 3, 7, 8]);
        assert_eq!(columns(Encoding::Utf16), [1, 2, 4, 5]);
        assert_eq!(columns(Encoding::Utf32), [1, 2, 3, 4]);
        assert_eq!(Encoding::Utf16.byte(line, 4), 7);
        assert_eq!(Encoding::Utf16.byte(line, 3), 3, "the character around it");
        assert_eq!(Encoding::Utf16.byte(line, 99), line.len());
    }

    #[test]
    fn positions_behind_the_end_are_the_end() {
        let text = "a\r\nbc\n";
        let byte = |line, column| Encoding::Utf8.byte_of_text(text, Position::new(line, column));
        assert_eq!([byte(0, 9), byte(1, 1), byte(2, 0), byte(9, 9)], [1, 4, 6, 6]);
    }

    #[test]
    fn lines_move_with_what_is_written_above_them() {
        let carried = Carried::between("a\nb\nc\nd", "a\nx\ny\nz\nc\nd");
        assert_eq!([0, 1, 2, 3].map(|it| carried.line(it)), [Some(0), None, Some(4), Some(5)]);
        let same = Carried::between("a\na", "a\na");
        assert_eq!([0, 1, 2].map(|it| same.line(it)), [Some(0), Some(1), None]);
        let longer = Carried::between("a\na", "a\na\na");
        assert_eq!([0, 1].map(|it| longer.line(it)), [Some(0), Some(1)]);
    }
}
