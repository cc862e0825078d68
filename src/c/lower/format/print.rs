//! `printf` and its like: what they read, and how much they write.

use wane_grammar::c::ast::Expr as Tree;
use wane_grammar::c::place::Place;

use super::NO_LIMIT;
use super::directive::{Conversion, Number, Part, Plain, Size, Stored, parse};
use crate::library::{Letters, Output};
use crate::lower::access::{Lvalue, Site};
use crate::lower::convert::Value;
use crate::lower::external_calls::Known;
use crate::lower::{Lowered, Lowering, fold};
use crate::types::{Integer, Type};
use ir::{BinaryOp, Expr};

/// No floating-point number has more characters, but for its precision.
const FLOAT_CHARACTERS: u64 = 5000;

/// No address has more characters, but for its precision.
const ADDRESS_CHARACTERS: u64 = 50;

/// No character has more bytes.
const MOST_BYTES: u64 = 16;

/// What stands before the digits of a number: a sign, or `0x`.
const PREFIX_CHARACTERS: u64 = 2;

/// A call as far as it has been lowered.
struct Printing<'n> {
    name: &'n str,
    place: Place,
    letters: Letters,
    /// The arguments behind the format.
    values: std::vec::IntoIter<Value>,
    format: Value,
    /// Where the text goes, and how much of it fits there.
    target: Option<(Value, Value)>,
    /// Where the address of a new block goes that gets the text.
    new: Option<Value>,
    /// The least and the greatest number of characters so far; in a buffer, how many they are.
    written: (Expr, Expr),
}

impl Printing<'_> {
    fn is_wide(&self) -> bool {
        self.letters == Letters::Wide
    }

    /// Whether the characters of numbers matter.
    fn is_followed(&self) -> bool {
        self.target.is_some() && !self.is_wide()
    }
}

impl Lowering<'_> {
    /// Calls `printf` or one of its like.
    pub(in crate::lower) fn print(
        &mut self,
        (output, letters): (Output, Letters),
        call: &Known<'_>,
        trees: &[Tree],
    ) -> Lowered<Value> {
        let place = call.place;
        let index = match output {
            Output::Standard | Output::Errors => 0,
            Output::Stream | Output::Elsewhere | Output::Buffer | Output::NewBlock => 1,
            Output::SizedBuffer => 2,
        };
        let mut values = call.values.clone();
        if values.len() <= index {
            self.unsupported(format!("`{}` without a format", call.name), place);
            return self.approximation(&call.result, call.name, place);
        }
        let values_behind = values.split_off(index + 1).into_iter();
        let format = values.remove(index);
        let limit = match output {
            Output::SizedBuffer => values.pop(),
            _ => None,
        };
        let first = values.into_iter().next();
        match (output, first.clone()) {
            (Output::Stream, Some(stream)) => {
                self.helper("__model_use", call.name, vec![stream], place)?;
            }
            (Output::Standard, _) => {
                self.optional_helper("__model_use_output", call, Vec::new())?
            }
            (Output::Errors, _) => self.optional_helper("__model_use_errors", call, Vec::new())?,
            _ => {}
        }
        let new = first.clone().filter(|_| output == Output::NewBlock);
        let target = match output {
            Output::Buffer | Output::SizedBuffer => {
                let limit = limit.unwrap_or_else(|| self.number_of_bytes(NO_LIMIT));
                first.map(|buffer| (buffer, limit))
            }
            Output::Standard
            | Output::Errors
            | Output::Stream
            | Output::Elsewhere
            | Output::NewBlock => None,
        };
        let written = (Expr::Constant(0), Expr::Constant(0));
        let (name, values) = (call.name, values_behind);
        let mut printing = Printing { name, place, letters, values, format, target, new, written };
        let text = Self::literal(trees, index);
        if text.is_none() {
            self.helper(length_of(letters), call.name, vec![printing.format.clone()], place)?;
        }
        let parts = text.and_then(|text| parse(&text, Stored::No));
        match parts {
            Some(parts) => {
                for part in parts {
                    self.print_part(part, &mut printing)?;
                }
            }
            None => {
                self.clobber("a format that is not a literal", place);
                return self.approximation(&call.result, call.name, place);
            }
        }
        self.printed(printing, call)
    }

    /// The result of the call.
    fn printed(&mut self, printing: Printing<'_>, call: &Known<'_>) -> Lowered<Value> {
        let (place, (low, high)) = (call.place, printing.written);
        if let Some((buffer, limit)) = printing.target {
            let end = Value::new(Type::Int(self.types.size_type()), low);
            let finish = match printing.letters {
                Letters::Narrow => "__model_finish",
                Letters::Wide => "__model_finish_wide",
            };
            let end = self.helper(finish, call.name, vec![buffer, limit, end], place)?;
            return self.convert(end, &call.result, place);
        }
        if let Some(new) = printing.new {
            let size = |bound| Value::new(Type::Int(self.types.size_type()), bound);
            let values = vec![new, size(low), size(high)];
            let end = self.helper("__model_put_in_new_block", call.name, values, place)?;
            return self.convert(end, &call.result, place);
        }
        if self.context.unused == Some(place) {
            return Ok(Value::new(call.result.clone(), 0));
        }
        let bounds = [low, high].map(|bound| Value::new(Type::INT, bound)).to_vec();
        let result = self.helper("__model_result_printed", call.name, bounds, place)?;
        self.convert(result, &call.result, place)
    }

    fn print_part(&mut self, part: Part, printing: &mut Printing<'_>) -> Lowered<()> {
        match part {
            Part::Text(start, length) => {
                let (letter, bytes) = match printing.letters {
                    Letters::Narrow => (Integer::Char, 1),
                    Letters::Wide => (Integer::Int, 4),
                };
                let start = Expr::Constant(bytes * start as i128);
                let text = fold::binary(BinaryOp::Add, printing.format.expr.clone(), start);
                let text = Value::new(Type::Int(letter).pointer(), text);
                let length = self.number_of_bytes(length as u64);
                self.put_text(text, length, printing)
            }
            Part::Conversion(conversion) => self.print_conversion(&conversion, printing),
        }
    }

    fn print_conversion(
        &mut self,
        conversion: &Conversion,
        printing: &mut Printing<'_>,
    ) -> Lowered<()> {
        let width = self.print_number(conversion.width, printing);
        let is_limited = conversion.letter == 's' && conversion.precision == Number::Argument;
        if is_limited && text_letters(conversion) == Some(printing.letters) {
            let limit = printing.values.next();
            return match (limit, printing.values.next()) {
                (Some(limit), Some(text)) if matches!(text.ty, Type::Pointer(_)) => {
                    self.print_text(conversion, (Some(limit), width), text, printing)
                }
                _ => self.cannot_print(conversion, printing),
            };
        }
        let precision = self.print_number(conversion.precision, printing);
        if conversion.letter == 'm' {
            return self.put_any(width.0, 256 + width.1, printing);
        }
        let Some(value) = printing.values.next() else {
            let what = format!("`{}` with fewer arguments than its format has", printing.name);
            self.unsupported(what, printing.place);
            return Ok(());
        };
        let (low, high) = (width.0, width.1.saturating_add(precision.1));
        let is_plain = conversion.plain == Plain::Yes
            && (conversion.width, conversion.precision) == (Number::Absent, Number::Absent);
        match (conversion.letter, &value.ty) {
            ('d' | 'i' | 'u', Type::Int(_)) if is_plain && printing.is_followed() => {
                let ty = self.integer_of_size(conversion.size, conversion.letter);
                let value = self.convert(value, &ty, printing.place)?;
                self.put_number(value, self.most_characters(conversion), printing)
            }
            ('d' | 'i' | 'u' | 'x' | 'X' | 'o', Type::Int(_))
                if has_digits_only(conversion) && printing.is_followed() =>
            {
                let ty = self.integer_of_size(conversion.size, conversion.letter);
                let value = self.convert(value, &ty, printing.place)?;
                self.put_digits(value, conversion, printing)
            }
            ('d' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b', Type::Int(_)) => {
                let least = if conversion.precision == Number::Absent { 1 } else { 0 };
                let digits = self.most_characters(conversion).max(precision.1);
                let most = width.1.max(digits + PREFIX_CHARACTERS);
                self.put_any(low.max(least), most, printing)
            }
            ('c', Type::Int(_)) if conversion.size == Size::Int || printing.is_wide() => {
                self.put_any(low.max(1), high.max(1), printing)
            }
            ('c', Type::Int(_)) if conversion.size == Size::Long => {
                self.put_any(low, high.max(MOST_BYTES), printing)
            }
            ('p', Type::Pointer(_) | Type::Int(_)) => {
                self.put_any(low.max(1), high + ADDRESS_CHARACTERS, printing)
            }
            ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', Type::Float(_)) => {
                self.put_any(low.max(1), high + FLOAT_CHARACTERS, printing)
            }
            ('s', Type::Pointer(_)) if text_letters(conversion) == Some(printing.letters) => {
                self.print_text(conversion, (None, width), value, printing)
            }
            ('s', Type::Pointer(_)) if is_plain => {
                self.print_converted_text(conversion, value, printing)
            }
            ('n', Type::Pointer(_)) => self.store_count(conversion, value, printing),
            _ => self.cannot_print(conversion, printing),
        }
    }

    fn cannot_print(&mut self, conversion: &Conversion, printing: &Printing<'_>) -> Lowered<()> {
        let what = format!("`%{}` of `{}` with this argument", conversion.letter, printing.name);
        self.unsupported(what, printing.place);
        Ok(())
    }

    /// The largest number of characters of an integer without width, precision and flags.
    fn most_characters(&self, conversion: &Conversion) -> u64 {
        let ty = self.integer_of_size(conversion.size, conversion.letter);
        let bits = match ty {
            Type::Int(int) => u64::from(int.kind(self.types.model).bits),
            _ => 64,
        };
        match (conversion.letter, bits) {
            ('x' | 'X', _) => bits.div_ceil(4),
            ('o', _) => bits.div_ceil(3),
            ('d' | 'i', 8) => 4,
            ('u', 8) => 3,
            ('d' | 'i', 16) => 6,
            ('u', 16) => 5,
            ('d' | 'i', 32) => 11,
            ('u', 32) => 10,
            ('d' | 'i' | 'u', 64) => 20,
            _ => bits,
        }
    }

    /// The bounds of a number in a conversion.
    fn print_number(&mut self, number: Number, printing: &mut Printing<'_>) -> (u64, u64) {
        match number {
            Number::Absent => (0, 0),
            Number::Given(number) => (number, number),
            Number::Argument => match printing.values.next().map(|value| value.expr) {
                Some(Expr::Constant(number)) => {
                    let number = u64::try_from(number.unsigned_abs()).unwrap_or(1 << 40);
                    (number, number)
                }
                _ => (0, 1 << 31),
            },
        }
    }

    /// `%s`: the text up to its end, or up to the precision, and so many characters at least.
    fn print_text(
        &mut self,
        conversion: &Conversion,
        (limit, (least, most)): (Option<Value>, (u64, u64)),
        text: Value,
        printing: &mut Printing<'_>,
    ) -> Lowered<()> {
        let place = printing.place;
        let length = match conversion.precision {
            Number::Absent => {
                let helper = length_of(printing.letters);
                self.helper(helper, printing.name, vec![text.clone()], place)?
            }
            Number::Given(limit) => {
                let helper = if printing.is_wide() { "__wane_wcsnlen" } else { "__wane_strnlen" };
                let limit = self.number_of_bytes(limit);
                self.helper(helper, printing.name, vec![text.clone(), limit], place)?
            }
            Number::Argument => {
                let helper = match printing.letters {
                    Letters::Narrow => "__model_limited_length",
                    Letters::Wide => "__model_limited_length_wide",
                };
                let values = [text.clone()].into_iter().chain(limit).collect();
                self.helper(helper, printing.name, values, place)?
            }
        };
        if conversion.width == Number::Absent {
            return self.put_text(text, length, printing);
        }
        let mut padded = |width| {
            let values = vec![length.clone(), self.number_of_bytes(width)];
            self.helper("__model_padded", printing.name, values, place)
        };
        let shortest = padded(least)?.expr;
        let longest = if least == most { shortest.clone() } else { padded(most)?.expr };
        self.put_between(shortest, longest, printing)
    }

    /// A text of wide characters among bytes, or the other way round.
    fn print_converted_text(
        &mut self,
        conversion: &Conversion,
        text: Value,
        printing: &mut Printing<'_>,
    ) -> Lowered<()> {
        let Some(letters) = text_letters(conversion) else {
            return self.cannot_print(conversion, printing);
        };
        let place = printing.place;
        let length = self.helper(length_of(letters), printing.name, vec![text], place)?;
        let most = match letters {
            Letters::Narrow => length.expr,
            Letters::Wide => {
                let bytes = Expr::Constant(i128::from(MOST_BYTES));
                fold::binary(BinaryOp::Multiply, length.expr, bytes)
            }
        };
        self.put_between(Expr::Constant(0), most, printing)
    }

    /// `%n`: the number of characters so far.
    fn store_count(
        &mut self,
        conversion: &Conversion,
        target: Value,
        printing: &Printing<'_>,
    ) -> Lowered<()> {
        let place = printing.place;
        let ty = self.integer_of_size(conversion.size, 'd');
        let (low, high) = &printing.written;
        let count = if low == high {
            Value::new(Type::INT, low.clone())
        } else {
            self.approximation(&Type::INT, printing.name, place)?
        };
        let count = self.convert(count, &ty, place)?;
        let site = Site::Memory(target.expr);
        self.store(&Lvalue { ty, site }, count, place).map(|_| ())
    }

    /// A text of known length goes out.
    fn put_text(&mut self, text: Value, length: Value, printing: &mut Printing<'_>) -> Lowered<()> {
        let Some((buffer, limit)) = printing.target.clone() else {
            self.count(length.expr.clone(), length.expr, printing);
            return Ok(());
        };
        let end = Value::new(length.ty.clone(), printing.written.0.clone());
        let values = vec![buffer, limit, end, text, length];
        let append = if printing.is_wide() { "__model_append_wide" } else { "__model_append" };
        let end = self.helper(append, printing.name, values, printing.place)?;
        printing.written = (end.expr.clone(), end.expr);
        Ok(())
    }

    /// A number goes out in decimal.
    fn put_number(&mut self, value: Value, most: u64, printing: &mut Printing<'_>) -> Lowered<()> {
        let Some((buffer, limit)) = printing.target.clone() else { return Ok(()) };
        let is_signed = matches!(value.ty, Type::Int(int) if int.is_signed());
        let helper = if is_signed { "__model_append_signed" } else { "__model_append_unsigned" };
        let end = Value::new(Type::Int(self.types.size_type()), printing.written.0.clone());
        let values = vec![buffer, limit, end, value, self.number_of_bytes(most)];
        let end = self.helper(helper, printing.name, values, printing.place)?;
        printing.written = (end.expr.clone(), end.expr);
        Ok(())
    }

    /// A number goes out to its base, with as many digits as the precision says at least.
    fn put_digits(
        &mut self,
        value: Value,
        conversion: &Conversion,
        printing: &mut Printing<'_>,
    ) -> Lowered<()> {
        let Some((buffer, limit)) = printing.target.clone() else { return Ok(()) };
        let digits = match conversion.precision {
            Number::Given(digits) => digits,
            Number::Absent | Number::Argument => 1,
        };
        let most = self.most_characters(conversion).max(digits + 1);
        let [digits, most] = [digits, most].map(|number| self.number_of_bytes(number));
        let is_signed = matches!(value.ty, Type::Int(int) if int.is_signed());
        let end = Value::new(Type::Int(self.types.size_type()), printing.written.0.clone());
        let mut values = vec![buffer, limit, end, value];
        if !is_signed {
            let (base, ten) = match conversion.letter {
                'x' => (16, 'a'),
                'X' => (16, 'A'),
                'o' => (8, 'a'),
                _ => (10, 'a'),
            };
            values.extend([base, i128::from(u32::from(ten))].map(|it| Value::new(Type::INT, it)));
        }
        values.extend([digits, most]);
        let helper = match is_signed {
            true => "__model_append_based_signed",
            false => "__model_append_based",
        };
        let end = self.helper(helper, printing.name, values, printing.place)?;
        printing.written = (end.expr.clone(), end.expr);
        Ok(())
    }

    /// Some text of a length between two bounds goes out.
    fn put_any(&mut self, low: u64, high: u64, printing: &mut Printing<'_>) -> Lowered<()> {
        let bound = |number: u64| Expr::Constant(i128::from(number));
        self.put_between(bound(low), bound(high.max(low)), printing)
    }

    fn put_between(&mut self, low: Expr, high: Expr, printing: &mut Printing<'_>) -> Lowered<()> {
        let Some((buffer, limit)) = printing.target.clone() else {
            self.count(low, high, printing);
            return Ok(());
        };
        let size = |expr: Expr| Value::new(limit.ty.clone(), expr);
        let bounds = [printing.written.0.clone(), low, high].map(size);
        let values = [vec![buffer, limit.clone()], bounds.to_vec()].concat();
        let append = match printing.letters {
            Letters::Narrow => "__model_append_any",
            Letters::Wide => "__model_append_any_wide",
        };
        let end = self.helper(append, printing.name, values, printing.place)?;
        printing.written = (end.expr.clone(), end.expr);
        Ok(())
    }

    fn count(&mut self, low: Expr, high: Expr, printing: &mut Printing<'_>) {
        let (least, most) = printing.written.clone();
        printing.written =
            (fold::binary(BinaryOp::Add, least, low), fold::binary(BinaryOp::Add, most, high));
    }
}

/// What the text is made of that a conversion prints.
fn text_letters(conversion: &Conversion) -> Option<Letters> {
    match conversion.size {
        Size::Int => Some(Letters::Narrow),
        Size::Long => Some(Letters::Wide),
        Size::Byte | Size::Short | Size::LongLong | Size::Pointer => None,
    }
}

/// The function that finds the end of a text.
fn length_of(letters: Letters) -> &'static str {
    match letters {
        Letters::Narrow => "__wane_strlen",
        Letters::Wide => "__wane_wcslen",
    }
}

/// Whether only the precision says how many characters a number has beside its value.
fn has_digits_only(conversion: &Conversion) -> bool {
    let is_short = match conversion.precision {
        Number::Absent => true,
        Number::Given(digits) => digits <= 60,
        Number::Argument => false,
    };
    conversion.plain == Plain::Yes && conversion.width == Number::Absent && is_short
}
