//! The values of numbers, character constants and string literals.

use super::ast::{
    CharacterLiteral, FloatLiteral, FloatSuffix, IntegerLiteral, StringKind, StringLiteral,
};
use super::token::{LexicalError, Number, StringPart};

/// First of the 256 private characters that stand for bytes which are no UTF-8.
const RAW_BYTE_BASE: u32 = 0xF700;

/// The text of a file, whatever its encoding: a byte that is no UTF-8 becomes
/// a private character, which string literals turn back into the byte.
#[must_use]
pub fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.extend(char::from_u32(RAW_BYTE_BASE + u32::from(*byte)));
        }
    }
    text
}

/// The byte that [`decode`] hid in a character.
#[must_use]
pub fn raw_byte(character: char) -> Option<u8> {
    u8::try_from(u32::from(character).checked_sub(RAW_BYTE_BASE)?).ok()
}

fn message<T>(text: impl Into<String>) -> Result<T, LexicalError> {
    Err(LexicalError::Message(text.into()))
}

/// Reads a preprocessing number.
pub(super) fn number(text: &str) -> Result<Number, LexicalError> {
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.starts_with("0x");
    let exponent = if hexadecimal { 'p' } else { 'e' };
    if lower.contains('.') || lower.contains(exponent) && !lower.starts_with("0b") {
        return Ok(Number::Floating(floating(&lower)));
    }
    let (radix, digits) = match lower.get(..2) {
        Some("0x") => (16, &lower[2..]),
        Some("0b") => (2, &lower[2..]),
        _ if lower.starts_with('0') => (8, lower.as_str()),
        _ => (10, lower.as_str()),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let Ok(value) = u128::from_str_radix(&digits[..end], radix) else {
        return message(format!("`{text}` is no integer constant"));
    };
    if value > u128::from(u64::MAX) {
        return message("integer constant is too large for any type");
    }
    if is_imaginary(&digits[end..]) {
        return Ok(Number::Floating(FloatLiteral { suffix: FloatSuffix::Imaginary, bits: None }));
    }
    let Some((unsigned, longs)) = integer_suffix(&digits[end..]) else {
        return message(format!("`{text}` is no number"));
    };
    Ok(Number::Integer(IntegerLiteral {
        value: value.cast_signed(),
        decimal: radix == 10,
        unsigned,
        longs,
    }))
}

fn floating(lower: &str) -> FloatLiteral {
    let suffix = float_suffix(lower);
    let plain = lower.strip_suffix('f').filter(|_| suffix == FloatSuffix::Float).unwrap_or(lower);
    let bits = match (plain.strip_prefix("0x"), suffix) {
        (Some(digits), FloatSuffix::Double) => hexadecimal(digits).map(f64::to_bits),
        (None, FloatSuffix::Double) => plain.parse::<f64>().ok().map(f64::to_bits),
        (None, FloatSuffix::Float) => plain.parse::<f32>().ok().map(|it| it.to_bits().into()),
        _ => None,
    };
    FloatLiteral { suffix, bits }
}

/// The number that hexadecimal digits with a point and an exponent of two stand for, if it
/// is easily represented.
fn hexadecimal(digits: &str) -> Option<f64> {
    let (mantissa, exponent) = digits.split_once('p')?;
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let number = u64::from_str_radix(&format!("{whole}{part}"), 16).ok()?;
    let places = i32::try_from(4 * part.len()).ok()?;
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(places)?;
    let number = u32::try_from(number).ok()?;
    // Powers of two in this range are exact, and so is the product.
    (-900..900).contains(&exponent).then(|| f64::from(number) * 2_f64.powi(exponent))
}

/// Whether a suffix says that a number is a multiple of the imaginary unit: in GNU C, an `i`
/// or a `j` at either end.
fn is_imaginary(suffix: &str) -> bool {
    let rest = suffix.strip_suffix(['i', 'j']).or_else(|| suffix.strip_prefix(['i', 'j']));
    rest.is_some_and(|rest| integer_suffix(rest).is_some() || rest == "f")
}

fn float_suffix(lower: &str) -> FloatSuffix {
    if lower.contains(['i', 'j']) {
        FloatSuffix::Imaginary
    } else if lower.ends_with("f128") || lower.ends_with('q') {
        FloatSuffix::Extended
    } else if lower.ends_with('f') {
        FloatSuffix::Float
    } else if lower.ends_with('l') {
        FloatSuffix::LongDouble
    } else {
        FloatSuffix::Double
    }
}

/// Whether unsigned, and how many `l`s.
fn integer_suffix(suffix: &str) -> Option<(bool, u8)> {
    match suffix {
        "" => Some((false, 0)),
        "u" => Some((true, 0)),
        "l" => Some((false, 1)),
        "ul" | "lu" => Some((true, 1)),
        "ll" | "i64" => Some((false, 2)),
        "ull" | "llu" | "ui64" => Some((true, 2)),
        _ => None,
    }
}

/// Reads a character constant with its quotes and prefix.
pub(super) fn character(text: &str) -> Result<CharacterLiteral, LexicalError> {
    let (kind, body) = split_prefix(text);
    let units = units(kind, body)?;
    let value = match (kind, units.as_slice()) {
        (_, []) => return message("empty character constant"),
        (StringKind::Byte, [unit]) => i128::from(unit.to_le_bytes()[0].cast_signed()),
        // Several characters: as compilers do, high byte first.
        (StringKind::Byte, many) => {
            let joined = many.iter().fold(0_u32, |value, unit| value << 8 | (unit & 0xFF));
            i128::from(joined.cast_signed())
        }
        // Several wide characters: the last one counts.
        (_, [.., unit]) => i128::from(*unit),
    };
    Ok(CharacterLiteral { kind, value })
}

/// Reads a string literal with its quotes and prefix.
pub(super) fn string(text: &str) -> Result<StringPart, LexicalError> {
    let (kind, body) = split_prefix(text);
    units(kind, body)?;
    Ok(StringPart { kind, body: body.into() })
}

/// Joins adjacent string literals; the prefix that one of them has counts for
/// all of them.
pub(super) fn join(parts: &[StringPart]) -> StringLiteral {
    let prefixed = parts.iter().map(|part| part.kind).find(|kind| *kind != StringKind::Byte);
    let kind = prefixed.unwrap_or(StringKind::Byte);
    // Each part was read when it was met, so that none of them fails here.
    let units = parts.iter().flat_map(|part| units(kind, &part.body).unwrap_or_default());
    StringLiteral { kind, units: units.collect() }
}

/// What the prefix says, and what stands between the quotes.
fn split_prefix(text: &str) -> (StringKind, &str) {
    let quote = text.find(['\'', '"']).unwrap_or(0);
    let kind = match &text[..quote] {
        "L" => StringKind::Wide,
        "U" => StringKind::Utf32,
        "u" => StringKind::Utf16,
        _ => StringKind::Byte,
    };
    (kind, text.get(quote + 1..text.len() - 1).unwrap_or_default())
}

/// The code units between the quotes.
fn units(kind: StringKind, body: &str) -> Result<Vec<u32>, LexicalError> {
    let mut units = Vec::with_capacity(body.len());
    let mut rest = body.chars();
    while let Some(character) = rest.next() {
        if character == '\\' {
            escape(kind, &mut rest, &mut units)?;
        } else {
            push_character(kind, character, &mut units);
        }
    }
    Ok(units)
}

fn push_character(kind: StringKind, character: char, units: &mut Vec<u32>) {
    if let Some(byte) = raw_byte(character) {
        units.push(u32::from(byte));
        return;
    }
    match kind {
        StringKind::Byte => {
            let mut buffer = [0; 4];
            units.extend(character.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        StringKind::Utf16 => {
            let mut buffer = [0; 2];
            units.extend(character.encode_utf16(&mut buffer).iter().map(|unit| u32::from(*unit)));
        }
        StringKind::Utf32 | StringKind::Wide => units.push(u32::from(character)),
    }
}

/// Reads what follows a backslash.
fn escape(
    kind: StringKind,
    rest: &mut std::str::Chars<'_>,
    units: &mut Vec<u32>,
) -> Result<(), LexicalError> {
    let Some(character) = rest.next() else { return message("unfinished escape sequence") };
    let unit = match character {
        '\n' => return Ok(()),
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' | 'E' => 27,
        'x' => digits(rest, 16, usize::MAX)?,
        'u' | 'U' => {
            let value = digits(rest, 16, if character == 'u' { 4 } else { 8 })?;
            let Some(character) = char::from_u32(value) else {
                return message("no such universal character");
            };
            push_character(kind, character, units);
            return Ok(());
        }
        '0'..='7' => {
            let mut value = u32::from(character) - u32::from('0');
            for _ in 0..2 {
                let Some(digit) = rest.clone().next().and_then(|c| c.to_digit(8)) else { break };
                rest.next();
                value = value * 8 + digit;
            }
            value
        }
        other => {
            push_character(kind, other, units);
            return Ok(());
        }
    };
    units.push(match kind {
        StringKind::Byte => unit & 0xFF,
        StringKind::Utf16 => unit & 0xFFFF,
        StringKind::Utf32 | StringKind::Wide => unit,
    });
    Ok(())
}

/// Reads at most `limit` digits and at least one.
fn digits(rest: &mut std::str::Chars<'_>, radix: u32, limit: usize) -> Result<u32, LexicalError> {
    let mut value = 0_u32;
    let mut count = 0;
    while count < limit {
        let Some(digit) = rest.clone().next().and_then(|c| c.to_digit(radix)) else { break };
        rest.next();
        value = value.wrapping_mul(radix).wrapping_add(digit);
        count += 1;
    }
    if count == 0 { message("escape sequence without digits") } else { Ok(value) }
}
