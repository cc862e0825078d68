//! The parts of a format (C11 7.21.6.1, 7.21.6.2).

/// A part of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Characters that stand for themselves: where they start, and how many they are.
    Text(usize, usize),
    /// A conversion.
    Conversion(Conversion),
}

/// A conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conversion {
    /// Whether flags other than those without effect on the number of characters stand there.
    pub(super) plain: Plain,
    /// The least number of characters written, or the largest one read.
    pub(super) width: Number,
    /// What stands behind the point.
    pub(super) precision: Number,
    pub(super) size: Size,
    /// What is converted.
    pub(super) letter: char,
    /// Whether `*` says that what is read is not stored.
    pub(super) stored: Stored,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    Yes,
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    Yes,
    No,
}

/// A number in a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Absent,
    Given(u64),
    /// An argument says it.
    Argument,
}

/// How wide the argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    Byte,
    Short,
    Int,
    Long,
    LongLong,
    /// As wide as an address (`z`, `t`, `j`).
    Pointer,
}

/// The parts of a format; nothing where it is none.
pub(super) fn parse(format: &str, is_read: Stored) -> Option<Vec<Part>> {
    let mut cursor =
        Cursor { characters: format.chars().take_while(|it| *it != '\0').collect(), at: 0 };
    let mut parts = Vec::new();
    while let Some(first) = cursor.peek() {
        let start = cursor.at;
        if first == '%' {
            cursor.at += 1;
            if cursor.skip('%') {
                parts.push(Part::Text(start, 1));
            } else {
                parts.push(Part::Conversion(cursor.conversion(is_read)?));
            }
            continue;
        }
        while cursor.peek().is_some_and(|next| next != '%') {
            cursor.at += 1;
        }
        parts.push(Part::Text(start, cursor.at - start));
    }
    Some(parts)
}

struct Cursor {
    characters: Vec<char>,
    at: usize,
}

impl Cursor {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn skip(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn conversion(&mut self, is_read: Stored) -> Option<Conversion> {
        let mut plain = Plain::Yes;
        let mut stored = Stored::Yes;
        if is_read == Stored::Yes {
            if self.skip('*') {
                stored = Stored::No;
            }
        } else {
            while self.peek().is_some_and(|flag| "-+ #0".contains(flag)) {
                plain = Plain::No;
                self.at += 1;
            }
        }
        let width = self.number();
        let precision = if self.skip('.') {
            match self.number() {
                Number::Absent => Number::Given(0),
                other => other,
            }
        } else {
            Number::Absent
        };
        let size = self.size();
        let letter = self.peek()?;
        self.at += 1;
        if letter == '[' {
            self.set()?;
        }
        Some(Conversion { plain, width, precision, size, letter, stored })
    }

    /// A number; one that is too large for any buffer counts as the largest.
    fn number(&mut self) -> Number {
        if self.skip('*') {
            return Number::Argument;
        }
        let mut number = Number::Absent;
        while let Some(digit) = self.peek().and_then(|digit| digit.to_digit(10)) {
            let before = if let Number::Given(before) = number { before } else { 0 };
            let value = before.saturating_mul(10).saturating_add(u64::from(digit));
            number = Number::Given(value.min(1 << 40));
            self.at += 1;
        }
        number
    }

    fn size(&mut self) -> Size {
        if self.skip('h') {
            return if self.skip('h') { Size::Byte } else { Size::Short };
        }
        if self.skip('l') {
            return if self.skip('l') { Size::LongLong } else { Size::Long };
        }
        match self.peek() {
            Some('L' | 'q') => {
                self.at += 1;
                Size::LongLong
            }
            Some('j') => {
                self.at += 1;
                Size::LongLong
            }
            Some('z' | 't') => {
                self.at += 1;
                Size::Pointer
            }
            _ => Size::Int,
        }
    }

    /// Skips `…]` behind `[`; the first character may be `]`.
    fn set(&mut self) -> Option<()> {
        self.skip('^');
        self.at += 1;
        while self.peek()? != ']' {
            self.at += 1;
        }
        self.at += 1;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, Part, Size, Stored, parse};

    fn letters(format: &str, is_read: Stored) -> Option<String> {
        let parts = parse(format, is_read)?;
        let letter = |part: &Part| match part {
            Part::Conversion(conversion) => Some(conversion.letter),
            Part::Text(..) => None,
        };
        Some(parts.iter().filter_map(letter).collect())
    }

    #[test]
    fn formats_have_parts() {
        assert_eq!(letters("a %d%% %-5s|%.*f%lu\n", Stored::No), Some("dsfu".to_owned()));
        assert_eq!(letters("%63s %[^]x] %*d", Stored::Yes), Some("s[d".to_owned()));
        assert_eq!(letters("50%", Stored::No), None);
        assert_eq!(letters("%[ab", Stored::Yes), None);
    }

    #[test]
    fn conversions_have_widths_and_sizes() {
        let Some(parts) = parse("ab%08.3lld", Stored::No) else { panic!("a format") };
        assert_eq!(parts[0], Part::Text(0, 2));
        let Part::Conversion(conversion) = parts[1] else { panic!("a conversion") };
        assert_eq!(conversion.width, Number::Given(8));
        assert_eq!(conversion.precision, Number::Given(3));
        assert_eq!(conversion.size, Size::LongLong);
    }
}
