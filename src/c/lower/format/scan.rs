//! `scanf` and its like: what they store, and how many conversions succeed.

use wane_grammar::c::ast::Expr as Tree;
use wane_grammar::c::place::Place;

use super::NO_LIMIT;
use super::directive::{Conversion, Number, Part, Size, Stored, parse};
use super::scan_text::is_blank;
use crate::library::{Letters, Source};
use crate::lower::access::{Lvalue, Site};
use crate::lower::convert::Value;
use crate::lower::external_calls::Known;
use crate::lower::{Lowered, Lowering, fold};
use crate::types::{Integer, Type};
use ir::{BinaryOp, BlockId, Command, Expr, HavocSource, ScalarType, Terminator, Variable};

/// The numbers of characters that `%n` stores.
const COUNT: [i128; 2] = [0, 0x7fff_ffff];

/// A call as far as it has been lowered.
pub(super) struct Scanning<'n> {
    pub(super) name: &'n str,
    pub(super) place: Place,
    letters: Letters,
    /// The arguments behind the format.
    values: std::vec::IntoIter<Value>,
    /// The stream that is read, if any.
    stream: Option<Value>,
    /// The call's result, and where it is known.
    pub(super) result: Variable,
    pub(super) end: BlockId,
    pub(super) n_stored: i128,
    first: First,
    /// What the format asks for next: a letter, -1 for any byte, or else 0.
    next: i128,
    /// The text of the format that is asked for, without blanks around it.
    letters_asked: String,
    /// What is asked for, in words behind "the input".
    kind: &'static str,
}

/// What a conversion asks for, behind "the input".
fn kind_of(conversion: &Conversion) -> &'static str {
    match (conversion.stored, conversion.letter) {
        (Stored::No, _) => HavocSource::SKIPPED,
        (_, 'd' | 'i' | 'u') => HavocSource::NUMBER,
        (_, 'x' | 'X') => HavocSource::IN_BASE_16,
        (_, 'o') => HavocSource::IN_BASE_8,
        (_, 'f' | 'F' | 'e' | 'E' | 'g' | 'G') => HavocSource::FRACTION,
        (_, 's') => HavocSource::WORD,
        (_, 'c') => HavocSource::BYTES,
        _ => HavocSource::OTHER,
    }
}

/// Whether a conversion is the first thing in its format that can fail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Yes,
    No,
}

/// What a call asks for where it may end.
#[derive(Clone, Copy)]
enum Asked {
    /// Anything at all.
    Anything,
    /// A number.
    Number,
    /// A word, behind blanks.
    Word,
    /// Bytes.
    Bytes,
    /// Letters of a set, which is not followed.
    Set,
    /// This letter.
    Letter(char),
}

impl Asked {
    fn by(conversion: &Conversion) -> Self {
        match conversion.letter {
            's' => Self::Word,
            'c' => Self::Bytes,
            '[' => Self::Set,
            _ => Self::Number,
        }
    }
}

impl Lowering<'_> {
    /// Calls `scanf` or one of its like: nothing is there or reading fails, or any
    /// number of conversions succeeds, in order. Each takes some of the input.
    pub(in crate::lower) fn scan(
        &mut self,
        (source, letters): (Source, Letters),
        call: &Known<'_>,
        trees: &[Tree],
    ) -> Lowered<Value> {
        let place = call.place;
        let index = match source {
            Source::Standard => 0,
            Source::Stream | Source::Text => 1,
        };
        let text = Self::literal(trees, index).unwrap_or_default();
        let is_literal = Self::literal(trees, index).is_some();
        let Some(parts) = parse(&text, Stored::Yes).filter(|_| is_literal) else {
            self.unsupported("a format that is not a literal", place);
            return self.approximation(&call.result, call.name, place);
        };
        let first = call.values.first().cloned();
        let stream = match (source, first) {
            (Source::Standard, _) => self.standard_input(place)?,
            (Source::Stream, stream) => stream,
            (Source::Text, Some(text)) => {
                let length = match letters {
                    Letters::Narrow => "__wane_strlen",
                    Letters::Wide => "__wane_wcslen",
                };
                self.helper(length, call.name, vec![text], place)?;
                None
            }
            (Source::Text, None) => None,
        };
        if let Some(stream) = &stream {
            self.helper("__model_use", call.name, vec![stream.clone()], place)?;
            self.optional_helper("__model_take_first", call, vec![stream.clone()])?;
        }
        let span = self.span(place);
        let Some(scalar) = self.types.scalar(&Type::INT) else { return Ok(Value::void()) };
        let (result, end) = (self.temporary(scalar, place), self.body.block(span));
        let values = call.values.clone().split_off(call.values.len().min(index + 1)).into_iter();
        let (name, n_stored, first) = (call.name, 0, First::Yes);
        let mut scanning = Scanning {
            name,
            place,
            letters,
            values,
            stream,
            result,
            end,
            n_stored,
            first,
            next: 0,
            letters_asked: String::new(),
            kind: "",
        };
        // What a text of bytes holds is followed.
        let is_followed = (source, letters) == (Source::Text, Letters::Narrow);
        let own = call.values.first().filter(|_| is_followed);
        self.scan_parts((&parts, &text), own, &mut scanning)?;
        if let Some(stream) = scanning.stream.clone() {
            self.optional_helper("__model_may_end", call, vec![stream])?;
        }
        let value = Expr::Constant(scanning.n_stored);
        self.emit(Command::Assign { target: result, value }, place);
        self.body.fall_into(end, span);
        Ok(Value::new(Type::INT, result))
    }

    /// Reads what a format asks for, one part after the other; of a text, if that is given.
    fn scan_parts(
        &mut self,
        (parts, format): (&[Part], &str),
        own: Option<&Value>,
        scanning: &mut Scanning<'_>,
    ) -> Lowered<()> {
        let letters_of = |start: usize, length: usize| -> String {
            format.chars().skip(start).take(length).collect()
        };
        let may_fail = |it: &Part| match it {
            Part::Conversion(conversion) => conversion.letter != 'n',
            Part::Text(start, length) => !letters_of(*start, *length).chars().all(is_blank),
        };
        let mut at = own.map(|it| self.begin_text(it, scanning.place));
        if parts.iter().any(may_fail) && at.is_none() {
            self.unless_at_end(scanning)?;
            // A blank that was put back is something, too, where it is not skipped.
            let skips_blanks = parts.iter().find_map(|it| match it {
                Part::Conversion(conversion) if conversion.letter == 'n' => None,
                Part::Conversion(conversion) => Some(!"c[".contains(conversion.letter)),
                Part::Text(start, _) => Some(letters_of(*start, 1).chars().all(is_blank)),
            });
            let asked = if skips_blanks == Some(true) { Asked::Anything } else { Asked::Bytes };
            scanning.kind = match parts.first() {
                Some(Part::Conversion(first)) if "sc".contains(first.letter) => kind_of(first),
                _ => "",
            };
            self.unless_scanned((-1, asked), scanning)?;
        }
        for (index, part) in parts.iter().enumerate() {
            let next = parts.get(index + 1);
            match *part {
                Part::Conversion(conversion) => {
                    if let Some(reading) = own.zip(at.as_ref())
                        && self.scan_text_conversion(&conversion, reading, scanning)?
                    {
                        continue;
                    }
                    at = None;
                    scanning.next = letter_behind(next, format);
                    self.scan_conversion(&conversion, scanning)?;
                }
                Part::Text(start, length) => {
                    let letters = letters_of(start, length);
                    match &at {
                        Some(at) => self.scan_letters(&letters, at, scanning)?,
                        None => self.scan_stream_text(&letters, next, scanning)?,
                    }
                }
            }
        }
        Ok(())
    }

    /// The stream that the models read standard input from.
    fn standard_input(&mut self, place: Place) -> Lowered<Option<Value>> {
        let name = self.source.find("__wane_stdin");
        name.map(|name| {
            let lvalue = self.named(name, place)?;
            self.load(lvalue, place)
        })
        .transpose()
    }

    /// The call ends here if an earlier one has found the end of the stream, which only
    /// programs see that ask for it.
    fn unless_at_end(&mut self, scanning: &Scanning<'_>) -> Lowered<()> {
        let Some(stream) = scanning.stream.clone() else { return Ok(()) };
        let has_ended =
            self.helper("__model_has_ended", scanning.name, vec![stream.clone()], scanning.place)?;
        self.unless_ended(has_ended, scanning)?;
        let Some(at_end) = self.function_named("__model_at_end") else { return Ok(()) };
        let is_at_end = self.call_model(at_end, scanning.name, vec![stream], scanning.place)?;
        self.unless_ended(is_at_end, scanning)
    }

    /// The call ends here if that is so.
    fn unless_ended(&mut self, is_at_end: Value, scanning: &Scanning<'_>) -> Lowered<()> {
        let (place, span) = (scanning.place, self.span(scanning.place));
        let (stop, next) = (self.body.block(span), self.body.block(span));
        self.branch_on(fold::truth(is_at_end.expr), stop, next, place);
        self.body.current = stop;
        let value = Expr::Constant(-1);
        self.emit(Command::Assign { target: scanning.result, value }, place);
        self.body.terminate(Terminator::Goto(scanning.end), span);
        self.body.current = next;
        Ok(())
    }

    /// The call ends here with this result, if what is asked for is not there, or it goes on.
    fn unless_scanned(
        &mut self,
        (result, asked): (i128, Asked),
        scanning: &Scanning<'_>,
    ) -> Lowered<()> {
        let (place, span) = (scanning.place, self.span(scanning.place));
        let source = match asked {
            Asked::Set => HavocSource::Approximation(scanning.name.to_owned()),
            Asked::Letter(_) => {
                let name = format!("{}{}", HavocSource::NEXT_TEXT, scanning.letters_asked);
                self.source_of_scan(scanning, &name)
            }
            _ => {
                let name = format!("{}{}", HavocSource::IN_LIBRARY, scanning.kind);
                self.source_of_scan(scanning, &name)
            }
        };
        let goes_on = self.arbitrary(&Type::Int(Integer::Bool), source, place)?;
        let (stop, next) = (self.body.block(span), self.body.block(span));
        self.branch_on(fold::truth(goes_on.expr), next, stop, place);
        self.body.current = stop;
        let helper = if result < 0 { "__model_note_end" } else { "__model_may_end" };
        if let (Some(helper), Some(stream)) = (self.function_named(helper), &scanning.stream) {
            self.call_model(helper, scanning.name, vec![stream.clone()], place)?;
        }
        if let Some(stream) = &scanning.stream {
            self.leave_stream((result, asked), stream.clone(), scanning)?;
        }
        let value = Expr::Constant(result);
        self.emit(Command::Assign { target: scanning.result, value }, place);
        self.body.terminate(Terminator::Goto(scanning.end), span);
        self.body.current = next;
        Ok(())
    }

    /// What stands in a stream where a call has ended.
    fn leave_stream(
        &mut self,
        (result, asked): (i128, Asked),
        stream: Value,
        scanning: &Scanning<'_>,
    ) -> Lowered<()> {
        let (name, place) = (scanning.name, scanning.place);
        let letter = match asked {
            Asked::Number => 0,
            Asked::Letter(letter) => u32::from(letter).into(),
            Asked::Word | Asked::Anything => {
                self.helper("__model_drop_blanks", name, vec![stream.clone()], place)?;
                return self.helper("__model_ends_here", name, vec![stream], place).map(|_| ());
            }
            Asked::Bytes | Asked::Set => {
                return self.helper("__model_ends_here", name, vec![stream], place).map(|_| ());
            }
        };
        let numbers = [result, letter].map(|it| Value::new(Type::INT, it));
        let values = [vec![stream], numbers.to_vec()].concat();
        self.helper("__model_stops_here", name, values, place).map(|_| ())
    }

    /// Letters of a format, and blanks, in what is read from a stream.
    fn scan_stream_text(
        &mut self,
        letters: &str,
        next: Option<&Part>,
        scanning: &mut Scanning<'_>,
    ) -> Lowered<()> {
        let (name, place) = (scanning.name, scanning.place);
        let mut is_first = true;
        let stream = scanning.stream.clone();
        let mut rest = letters.chars().peekable();
        while let Some(letter) = rest.next() {
            if is_blank(letter) {
                let reads_blanks = |it: &Part| match it {
                    Part::Conversion(conversion) => !"c[n".contains(conversion.letter),
                    Part::Text(..) => false,
                };
                let is_needless = rest.peek().is_some() || next.is_some_and(reads_blanks);
                let helper =
                    if is_needless { "__model_drop_blanks" } else { "__model_skip_blanks" };
                if let Some(stream) = &stream {
                    self.helper(helper, name, vec![stream.clone()], place)?;
                }
                continue;
            }
            if std::mem::take(&mut is_first) {
                scanning.first = First::No;
                letters.trim().clone_into(&mut scanning.letters_asked);
                self.unless_scanned((scanning.n_stored, Asked::Letter(letter)), scanning)?;
            }
            if let Some(stream) = &stream {
                if letter == '%' {
                    self.helper("__model_drop_blanks", name, vec![stream.clone()], place)?;
                }
                let letter = Value::new(Type::INT, i128::from(u32::from(letter)));
                let values = vec![stream.clone(), letter];
                self.helper("__model_behind_letter", name, values, place)?;
            }
        }
        Ok(())
    }

    /// What stands in a stream behind what was asked for.
    fn go_on_in_stream(
        &mut self,
        asked: Asked,
        target: Option<&Value>,
        scanning: &Scanning<'_>,
    ) -> Lowered<()> {
        let (name, place) = (scanning.name, scanning.place);
        let Some(stream) = scanning.stream.clone() else { return Ok(()) };
        let (helper, more) = match (asked, target) {
            (Asked::Word, Some(target)) => ("__model_behind_word", Some(target.clone())),
            (Asked::Bytes, Some(target)) => ("__model_behind_bytes", Some(target.clone())),
            (Asked::Word, None) => ("__model_behind_skipped", Some(Value::new(Type::INT, 1))),
            (Asked::Bytes, None) => ("__model_behind_skipped", Some(Value::new(Type::INT, 0))),
            (Asked::Number, _) => {
                ("__model_behind_number", Some(Value::new(Type::INT, scanning.next)))
            }
            (Asked::Anything | Asked::Set | Asked::Letter(_), _) => return Ok(()),
        };
        let values = std::iter::once(stream).chain(more).collect();
        self.helper(helper, name, values, place).map(|_| ())
    }

    /// What is read from a stream is an input; what a text holds is not followed.
    fn source_of_scan(&self, scanning: &Scanning<'_>, name: &str) -> HavocSource {
        match scanning.stream {
            Some(_) => HavocSource::Input(name.to_owned()),
            None => HavocSource::Approximation(scanning.name.to_owned()),
        }
    }

    fn scan_conversion(
        &mut self,
        conversion: &Conversion,
        scanning: &mut Scanning<'_>,
    ) -> Lowered<()> {
        let (place, name) = (scanning.place, scanning.name);
        if conversion.letter != 'n' {
            // Text can only be missing, and then nothing else was there before.
            if !("sc".contains(conversion.letter) && scanning.first == First::Yes) {
                let asked = Asked::by(conversion);
                scanning.kind = kind_of(conversion);
                self.unless_scanned((scanning.n_stored, asked), scanning)?;
            }
            scanning.first = First::No;
            if let Some(stream) = scanning.stream.clone() {
                self.helper("__model_consume", name, vec![stream], place)?;
            }
        }
        let asked = if conversion.letter == 'n' { Asked::Anything } else { Asked::by(conversion) };
        if conversion.stored == Stored::No {
            return self.go_on_in_stream(asked, None, scanning);
        }
        let Some(target) = self.target_of(scanning) else { return Ok(()) };
        let is_of_bytes = conversion.size == Size::Int && scanning.letters == Letters::Narrow;
        let known = Some(&target).filter(|_| is_of_bytes).cloned();
        self.scan_into(conversion, target, scanning)?;
        self.go_on_in_stream(asked, known.as_ref(), scanning)?;
        scanning.n_stored += i128::from(conversion.letter != 'n');
        Ok(())
    }

    /// Where a conversion is stored, if there is an argument for it.
    pub(super) fn target_of(&mut self, scanning: &mut Scanning<'_>) -> Option<Value> {
        let target = scanning.values.next();
        if target.is_none() {
            let what = format!("`{}` with fewer arguments than its format has", scanning.name);
            self.unsupported(what, scanning.place);
        }
        target
    }

    pub(super) fn refuse_argument(&mut self, letter: char, scanning: &Scanning<'_>) {
        let what = format!("`%{letter}` of `{}` into this argument", scanning.name);
        self.unsupported(what, scanning.place);
    }

    pub(super) fn scan_into(
        &mut self,
        conversion: &Conversion,
        target: Value,
        scanning: &Scanning<'_>,
    ) -> Lowered<()> {
        let (place, name) = (scanning.place, scanning.name);
        let width = match conversion.width {
            Number::Given(width) => Some(width),
            Number::Absent | Number::Argument => None,
        };
        match (conversion.letter, &target.ty) {
            ('d' | 'i' | 'u' | 'x' | 'X' | 'o' | 'n', Type::Pointer(_)) => {
                let ty = self.integer_of_size(conversion.size, conversion.letter);
                self.scan_scalar(ty, target, bounds(conversion), scanning)
            }
            ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', Type::Pointer(_)) => {
                let bytes = match conversion.size {
                    Size::Long => 8,
                    Size::LongLong => self.types.model.long_double_bytes(),
                    _ => 4,
                };
                self.scan_scalar(Type::Float(bytes), target, None, scanning)
            }
            ('s' | '[', Type::Pointer(_)) if conversion.size == Size::Long => {
                let width = self.number_of_bytes(width.unwrap_or(NO_LIMIT));
                let helper = "__model_scan_text_wide";
                self.helper(helper, name, vec![target, width], place).map(|_| ())
            }
            ('c', Type::Pointer(_)) if conversion.size == Size::Long => {
                let width = self.number_of_bytes(4 * width.unwrap_or(1).min(NO_LIMIT / 4));
                self.helper("__model_scan_bytes", name, vec![target, width], place).map(|_| ())
            }
            _ if scanning.letters == Letters::Wide && "sc[".contains(conversion.letter) => {
                let what = format!("`%{}` of `{name}` into bytes", conversion.letter);
                self.unsupported(what, place);
                Ok(())
            }
            ('s' | '[', Type::Pointer(_)) if conversion.size == Size::Int => {
                let width = self.number_of_bytes(width.unwrap_or(NO_LIMIT));
                self.helper("__model_scan_text", name, vec![target, width], place).map(|_| ())
            }
            ('c', Type::Pointer(_)) if conversion.size == Size::Int => {
                let width = self.number_of_bytes(width.unwrap_or(1));
                self.helper("__model_scan_bytes", name, vec![target, width], place).map(|_| ())
            }
            (letter, _) => {
                self.refuse_argument(letter, scanning);
                Ok(())
            }
        }
    }

    fn scan_scalar(
        &mut self,
        ty: Type,
        target: Value,
        bounds: Option<[i128; 2]>,
        scanning: &Scanning<'_>,
    ) -> Lowered<()> {
        let place = scanning.place;
        let source = match bounds {
            Some(COUNT) => HavocSource::Approximation(scanning.name.to_owned()),
            _ => self.source_of_scan(scanning, scanning.name),
        };
        let value = self.arbitrary(&ty, source, place)?;
        if let (Expr::Variable(variable), Some(scalar)) = (&value.expr, self.types.scalar(&ty)) {
            self.assume_range(*variable, scalar, place);
        }
        if let (Some([low, high]), Expr::Variable(_)) = (bounds, &value.expr) {
            let compared =
                |op, bound: i128| fold::binary(op, value.expr.clone(), Expr::Constant(bound));
            let up_to = compared(BinaryOp::LessEqual, high);
            let conditions = match self.types.scalar(&ty) {
                Some(ScalarType::Int(kind)) if !kind.signed && low < 0 => {
                    let turned = compared(BinaryOp::GreaterEqual, kind.max() + 1 + low);
                    vec![Expr::binary(BinaryOp::Or, up_to, turned)]
                }
                _ => vec![compared(BinaryOp::GreaterEqual, low), up_to],
            };
            for condition in conditions {
                self.emit(Command::Assume { condition }, place);
            }
        }
        let target = Lvalue { ty, site: Site::Memory(target.expr) };
        self.store(&target, value, place).map(|_| ())
    }
}

/// What a format asks for in one of its parts: a letter, any byte (-1), or what may have blanks
/// before it (0).
fn letter_behind(part: Option<&Part>, text: &str) -> i128 {
    match part {
        Some(Part::Conversion(conversion)) if "c[".contains(conversion.letter) => -1,
        Some(Part::Text(start, _)) => {
            let letter = text.chars().nth(*start).filter(|it| !is_blank(*it));
            letter.map_or(0, |it| u32::from(it).into())
        }
        _ => 0,
    }
}

/// What a width says of the number that is read: one with a sign has a digit less. Of types without
/// signs it turns round then, which is told by itself (`turned`).
pub(super) fn bounds(conversion: &Conversion) -> Option<[i128; 2]> {
    if conversion.letter == 'n' {
        return Some(COUNT);
    }
    let digits = digits(conversion)?;
    let least = 1 - most(conversion.letter, digits - 1)?;
    Some([least, most(conversion.letter, digits)? - 1])
}

/// The width of a number, if it says something.
fn digits(conversion: &Conversion) -> Option<u32> {
    let Number::Given(width @ 1..=9) = conversion.width else { return None };
    u32::try_from(width).ok()
}

/// The least number without a sign that has more digits; `0x` takes two of those of base 16.
fn most(letter: char, digits: u32) -> Option<i128> {
    let power = |base: i128, digits: u32| base.pow(digits);
    match letter {
        'd' | 'u' => Some(power(10, digits)),
        'x' | 'X' => Some(power(16, digits)),
        'o' => Some(power(8, digits)),
        'i' => Some(power(10, digits).max(power(16, digits.saturating_sub(2)))),
        _ => None,
    }
}
